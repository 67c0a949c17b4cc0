"""A team folder: see `annotate.plugins.team_folder.sync`."""
