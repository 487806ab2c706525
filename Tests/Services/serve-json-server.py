"""Rows at the socket that is its standard input, in the form of json-server as its documentation
describes it (version 0.17): a collection below /, keys that are numbers of its own, pages by _page
and _limit that are ten rows long and are linked (Link) and counted (X-Total-Count), whole lists
without them; PUT replaces a row, and nothing tells of conflicts. Written for these tests.

It forgets all rows when it ends, and ends with the process that started it.
"""
import http.server
import json
import os
import socket
import threading
import time
import urllib.parse


def end_with(parent):
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


threading.Thread(target=end_with, args=[os.getppid()], daemon=True).start()
tables = {}
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body, headers=()):
        text = json.dumps(body, indent=2).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def serve(self):
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, query = self.path.partition("?")
        steps = path.strip("/").split("/")
        with lock:
            table = tables.setdefault(steps[0], {})
            if len(steps) == 1 and self.command == "GET":
                return self.list(path, table, dict(urllib.parse.parse_qsl(query)))
            if len(steps) == 1 and self.command == "POST":
                key = max(table, default=0) + 1
                table[key] = {**json.loads(text), "id": key}
                return self.answer(201, table[key])
            key = int(steps[1]) if len(steps) == 2 and steps[1].isdigit() else None
            if key not in table:
                return self.answer(404, {})
            if self.command == "PUT":
                table[key] = {**json.loads(text), "id": key}
            if self.command == "DELETE":
                del table[key]
                return self.answer(200, {})
            return self.answer(200, table[key])

    def list(self, path, table, query):
        rows = [table[key] for key in sorted(table)]
        if "_page" not in query:
            return self.answer(200, rows)
        page, size = int(query["_page"]), int(query.get("_limit", 10))
        last = max(1, -(-len(rows) // size))
        address = "http://" + self.headers["Host"] + path
        links = [("first", 1), ("prev", page - 1), ("next", page + 1), ("last", last)]
        shown = ", ".join(
            '<%s?_page=%d>; rel="%s"' % (address, number, name)
            for name, number in links if 1 <= number <= last)
        part = rows[(page - 1) * size:page * size]
        self.answer(200, part, [("X-Total-Count", str(len(rows))), ("Link", shown)])

    do_GET = do_POST = do_PUT = do_DELETE = serve

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("", 0), Handler, bind_and_activate=False)
server.socket = socket.socket(fileno=0)
server.serve_forever()
