"""A proxy: it is asked for a page, fetches it and hands on what it takes for the main content."""

import re
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer


class Proxy(BaseHTTPRequestHandler):
    def do_GET(self):
        html = urllib.request.urlopen(self.path).read()  # the path is the whole address
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(b"".join(re.findall(rb"(?s)<p\b.*?</p>", html)))


server = HTTPServer(("127.0.0.1", int(sys.argv[1])), Proxy)
print(server.server_port, flush=True)
server.serve_forever()
