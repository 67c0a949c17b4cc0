"""Presentation: the page with one method after the other, full screen."""
