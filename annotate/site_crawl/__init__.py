"""Reading a site from the web, politely, into a folder that data sets and the window open."""
