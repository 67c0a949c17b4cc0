"""A team folder: see `annotate.team.folder.sync`."""
