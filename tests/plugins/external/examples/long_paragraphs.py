"""A command: HTML on standard input, text on standard output."""

import re
import sys

html = sys.stdin.buffer.read().decode("utf-8")
for part in re.findall(r"(?is)<p\b[^>]*>(.*?)</p>", html):
    text = re.sub(r"<[^>]+>", "", part)
    if len(text.split()) > 20:
        print(text)
