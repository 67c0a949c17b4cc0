import json
import re
import sys

for line in sys.stdin:
    html = json.loads(line)["html"]
    parts = [re.sub(r"<[^>]+>", "", p) for p in re.findall(r"(?is)<p\b[^>]*>(.*?)</p>", html)]
    print(json.dumps({"text": "\n".join(parts)}), flush=True)
