"""What every feature builds on: opening, saving, running and drawing a page."""
