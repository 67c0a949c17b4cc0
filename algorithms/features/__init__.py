"""Former name of `algorithms.signals`: methods written for it keep working."""

import sys
from importlib import import_module
from pkgutil import iter_modules

from algorithms import signals

for _each in iter_modules(signals.__path__):
    sys.modules[f"{__name__}.{_each.name}"] = import_module(f"{signals.__name__}.{_each.name}")
