"""A proxy that crawls: it keeps the paragraphs of a page that stand on no page it links to."""

import re
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.error import HTTPError
from urllib.parse import urljoin


class Proxy(BaseHTTPRequestHandler):
    def do_GET(self):
        through = urllib.request.ProxyHandler({"http": self.headers["X-Pagelet-Proxy"]})
        fetch = urllib.request.build_opener(through).open
        html = fetch(self.path).read().decode()
        others = ""
        for link in re.findall(r'href="?([^">]+)', html):
            try:
                others += fetch(urljoin(self.path, link)).read().decode()
            except HTTPError as error:
                print(error.code, urljoin(self.path, link), flush=True)
        is_kept = [each for each in re.findall(r"(?s)<p\b.*?</p>", html) if each not in others]
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write("".join(is_kept).encode())


server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Proxy)
print(server.server_port, flush=True)
server.serve_forever()
