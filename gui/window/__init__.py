"""The window: menus, tools, status bar, panels and the page put together."""
