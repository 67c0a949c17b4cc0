"""Methods of the user: Python functions and files, models, texts made elsewhere."""
