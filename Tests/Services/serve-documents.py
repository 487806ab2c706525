"""A plain document service at the socket that is its standard input; its argument is the token.

It keeps documents by their ids, of whatever type, and forgets them when it ends. It ends with the
process that started it.
"""
import http.server
import json
import os
import socket
import sys
import threading
import time
import urllib.parse


def end_with(parent):
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


threading.Thread(target=end_with, args=[os.getppid()], daemon=True).start()
documents = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def serve(self):
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/":
            return self.answer(200, {"service": "documents"})
        if self.headers.get("Authorization") != "Token token=" + sys.argv[1]:
            return self.answer(401, {"message": "who are you?"})
        steps = self.path.strip("/").split("/")
        if steps[:2] != ["api", "document"] or len(steps) > 3:
            return self.send_error(404)
        if self.command in ("POST", "PUT"):
            return self.store(text)
        name = urllib.parse.unquote(steps[2]) if len(steps) == 3 else None
        if name not in documents:
            return self.answer(404, {"message": "there is no such document"})
        if self.command == "DELETE":
            del documents[name]
            return self.answer(200, {"data": {}})
        self.answer(200, {"data": documents[name]})

    def store(self, text):
        try:
            document = json.loads(text)
            name = document["id"]
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"message": "a document has an id"})
        if not isinstance(document.get("docType"), str):
            return self.answer(422, {"message": "a document has a type"})
        documents[name] = document
        self.answer(201 if self.command == "POST" else 200, {"data": document})

    do_GET = do_PUT = do_POST = do_DELETE = serve

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("", 0), Handler, bind_and_activate=False)
server.socket = socket.socket(fileno=0)
server.serve_forever()
