"""Rows of models at the socket that is its standard input, in three dialects by the first step of
the path; its argument is the token.

plain  bare rows and arrays, keys that are text, nothing about changes
sync   results under names, dates of changes, deleted rows that are told, a flag for conflicts,
       pages of five
old    paths that end in a slash, numbers for keys, answers in ISO 8859-1 (which those of the model
       mute don't say), errors with status 200

Below files it stores whatever is put there, and removes it again.

A procedure of any model has it forget all rows (forget), another makes a row of sync one with a
number that is too large (spoil), a third one mends it (mend).

It forgets all rows when it ends, and ends with the process that started it.
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
tables = {}
files = {}
lock = threading.Lock()
clock = 1_700_000_000_000


def stamp():
    global clock
    clock += 1
    seconds, rest = divmod(clock, 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + ".%03dZ" % rest


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body, links=None, charset="utf-8"):
        text = json.dumps(body, ensure_ascii=False)
        text = text.replace('"spoiled": 1', '"spoiled": 1e999').encode(charset, "replace")
        self.send_response(status)
        named = "" if "/mute/" in self.path else "; charset=" + charset
        self.send_header("Content-Type", "application/json" + named)
        self.send_header("Content-Length", str(len(text)))
        if links:
            self.send_header("Link", links)
        self.end_headers()
        self.wfile.write(text)

    def serve(self):
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, query = self.path.partition("?")
        if path == "/":
            return self.answer(200, {"service": "rows"})
        if self.headers.get("Authorization") != "Token " + sys.argv[1]:
            return self.answer(401, {"detail": "who are you?"})
        if path.startswith("/files/"):
            return self.file(path, text)
        steps = [urllib.parse.unquote(step) for step in path.strip("/").split("/")]
        dialect = {"plain": self.plain, "sync": self.sync, "old": self.old}.get(steps[0])
        if not dialect or not 2 <= len(steps) <= 4:
            return self.send_error(404)
        row = json.loads(text) if text else None
        with lock:
            if steps[-1] == "forget":
                tables.clear()
                return self.answer(200, {})
            table = tables.setdefault((steps[0], steps[1]), {})
            dialect(table, steps[2:], dict(urllib.parse.parse_qsl(query)), row)

    def file(self, path, content):
        with lock:
            known = files.get(path)
            if self.command == "PUT":
                files[path] = content
                return self.answer(201, {})
            if known is None:
                return self.answer(404, {"detail": "there is no such file"})
            if self.command == "DELETE":
                del files[path]
                return self.answer(200, {})
        self.send_response(200)
        self.send_header("Content-Length", str(len(known)))
        self.end_headers()
        self.wfile.write(known)

    def plain(self, table, rest, query, row):
        if rest and rest[-1] == "touch":
            return self.answer(200, {"touched": rest[:-1], "with": row})
        if self.command == "POST" or self.command == "PUT":
            if row.get("name") == "unwanted":
                return self.answer(422, {"detail": "nobody wants it"})
            table[row["id"]] = row
            if row.get("name") == "quiet":
                self.send_response(204)
                return self.end_headers()
            return self.answer(201 if self.command == "POST" else 200, row)
        if not rest:
            rows = [r for r in table.values() if all(self.holds(r, *c) for c in query.items())]
            for name in reversed(query.get("sort", "id").split(",")):
                rows.sort(key=lambda r: str(r.get(name.lstrip("-"))), reverse=name[0] == "-")
            return self.answer(200, rows)
        if rest[0] not in table:
            return self.answer(404, {"detail": "there is no such row"})
        found = table[rest[0]]
        if self.command == "DELETE":
            del table[rest[0]]
            return self.answer(200, {})
        self.answer(200, found)

    @staticmethod
    def holds(row, name, value):
        if name == "sort":
            return True
        if name.endswith("__icontains"):
            return value.lower() in str(row.get(name[:-11], "")).lower()
        return str(row.get(name)) == value

    def sync(self, table, rest, query, row):
        name = rest[0] if rest else (row or {}).get("id")
        if not name:
            return self.list_changes(table, query)
        held = table.get(name)
        if rest[1:] == ["spoil"]:
            held["spoiled"] = 1
            return self.answer(200, {})
        if rest[1:] == ["mend"]:
            del held["spoiled"]
            return self.answer(200, {})
        is_there = held is not None and not held["is_deleted"]
        if self.command == "GET":
            if held is None:
                return self.answer(404, {"detail": "there is no such row"})
            return self.answer(200, {"result": held, "is_conflict": False})
        if self.command == "POST":
            is_conflict = is_there
        else:
            seen = (row or query).get("modified_date")
            if not is_there and (held is None or self.command == "DELETE"):
                return self.answer(404, {"detail": "there is no such row"})
            is_conflict = not is_there or seen != held["modified_date"]
        if is_conflict:
            return self.answer(200, {"result": held, "is_conflict": True})
        stored = dict(row or {"id": name})
        stored["modified_date"] = stamp()
        stored["is_deleted"] = self.command == "DELETE"
        table[name] = stored
        self.answer(200, {"result": stored, "is_conflict": False})

    def list_changes(self, table, query):
        rows = sorted(table.values(), key=lambda r: r["modified_date"])
        since, after = query.get("modified_date__gte", ""), query.get("after", "")
        rows = [r for r in rows if r["modified_date"] >= since and r["modified_date"] > after]
        links = None
        if len(rows) > 5:
            rows = rows[:5]
            path = self.path.partition("?")[0]
            links = '<%s?after=%s>; rel="next"' % (path, rows[-1]["modified_date"])
        self.answer(200, {"results": rows}, links)

    def old(self, table, rest, query, row):
        if not self.path.partition("?")[0].endswith("/"):
            return self.send_error(404)
        charset = "iso-8859-1"
        if self.command in ("POST", "PUT"):
            if row.get("name") == "unwanted":
                return self.answer(200, {"ok": False, "why": "nobody wants it"}, None, charset)
            table[row["nr"]] = row
            return self.answer(200, {"ok": True, "item": row}, None, charset)
        if not rest:
            return self.answer(200, {"ok": True, "items": list(table.values())}, None, charset)
        found = table.get(int(rest[0]))
        if found is None:
            return self.answer(404, {"ok": False, "message": "there is no such row"})
        if self.command == "DELETE":
            del table[int(rest[0])]
        self.answer(200, {"ok": True, "item": found}, None, charset)

    do_GET = do_PUT = do_POST = do_DELETE = serve

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("", 0), Handler, bind_and_activate=False)
server.socket = socket.socket(fileno=0)
server.serve_forever()
