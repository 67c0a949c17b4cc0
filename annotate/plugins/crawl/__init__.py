"""The crawler: pages of one site, politely, into a folder."""
