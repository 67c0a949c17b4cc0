"""The pinned PySide6 does not lose references to None (6.12.0 on Python 3.11 aborts here)."""

import subprocess
import sys


def test_calling_void_methods_does_not_abort():
    code = (
        "from PySide6.QtCore import QObject\n"
        "thing = QObject()\n"
        "for _ in range(20_000): thing.setObjectName('x')\n"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert answer.returncode == 0, answer.stderr.decode()
