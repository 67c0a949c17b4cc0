"""A web server on this machine that answers as it is told, for crawls."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Town:
    """A server: pages by path, each bytes, a pair of status and headers, or a function.

    Attributes:
        pages: What is answered; a function gets the handler and writes itself.
        asked: Paths in the order they were asked for, and when.
        connections: How many were opened, and how many at a time at most.
    """

    def __init__(self, host="127.0.0.1"):
        self.pages, self.asked, self.times = {}, [], []
        self.connections = self.open = self.most_open = 0
        self.agents = set()
        town = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 60

            def setup(self):
                super().setup()
                town.connections += 1
                town.open += 1
                town.most_open = max(town.most_open, town.open)

            def finish(self):
                super().finish()
                town.open -= 1

            def do_GET(self):
                town.asked.append(self.path)
                town.times.append(time.monotonic())
                town.agents.add(self.headers["User-Agent"])
                result = town.pages.get(self.path)
                if callable(result):
                    result(self)
                elif isinstance(result, tuple):
                    status, headers = result
                    self.say(b"", status, **headers)
                elif result is None:
                    self.say(b"not here", 404)
                else:
                    self.say(result)

            def say(self, body, status=200, **headers):
                self.send_response(status)
                headers = {"Content-Type": "text/html; charset=utf-8", **headers}
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_values):
                pass

        self.server = ThreadingHTTPServer((host, 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.address = f"http://{host}:{self.port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()


def page(text, *links):
    """Return a page with links."""
    result = "".join(f'<li><a href="{link}">{link}</a>' for link in links)
    return f"<html><body><ul>{result}</ul><p>{text}</p></body></html>".encode()


def story(number, *links):
    """Return a page of its own words."""
    return page(f"story {number}: " + " ".join(f"w{number}x{k}" for k in range(20)), *links)
