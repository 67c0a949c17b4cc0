"""What ``import pagelet`` offers: pages, methods, evaluations, without a window and without Qt.

The package that users import is `annotate/facade/pagelet`; it names what is public here.
"""
