"""What ``import pagelet`` offers: pages, methods, evaluations, without a window and without Qt.

Users import the package `annotate/facade/pagelet`; it defines the public names.
"""
