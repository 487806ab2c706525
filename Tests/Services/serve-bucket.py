"""An S3 server (moto's) at the socket that is its standard input, with two buckets: `bucket` for
those who sign with a key, whose name and secret are the arguments, and `public` for everybody.

moto checks no signatures. Here each is held against botocore's: that of the request is made anew,
by the time and the fields that the request says were signed; with another one it gets 403.

Objects are put there past S3, by a request `POST /_objects` of JSON lines [BUCKET, KEY, TEXT]; and
`DELETE /_objects` forgets all.
"""

import json
import os
import socket
import sys
import threading
import time


def end_with(parent):
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


threading.Thread(target=end_with, args=[os.getppid()], daemon=True).start()

from botocore.auth import S3SigV4Auth  # noqa: E402
from botocore.awsrequest import AWSRequest  # noqa: E402
from botocore.credentials import Credentials  # noqa: E402
from moto.core import DEFAULT_ACCOUNT_ID  # noqa: E402
from moto.s3.models import s3_backends  # noqa: E402
from moto.server import DomainDispatcherApplication, create_backend_app  # noqa: E402
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler  # noqa: E402

key, secret = sys.argv[1:3]
backend = s3_backends[DEFAULT_ACCOUNT_ID]["aws"]
moto = DomainDispatcherApplication(create_backend_app)
lock = threading.Lock()


def reset():
    backend.reset()
    for name in ("bucket", "public"):
        backend.create_bucket(name, "us-east-1")


class Timed(S3SigV4Auth):
    """Signs again what was signed at the time that was said."""

    def _modify_request_before_signing(self, request):
        pass


def expected(environ, date, names):
    query = environ.get("QUERY_STRING", "")
    # As it came: the path that is decoded and encoded again may be another one.
    path = environ["RAW_URI"].split("?")[0]
    url = "http://" + environ["HTTP_HOST"] + path + ("?" + query if query else "")
    request = AWSRequest(method=environ["REQUEST_METHOD"], url=url)
    for name in names:
        if name != "host":
            request.headers[name] = environ["HTTP_" + name.upper().replace("-", "_")]
    request.context["timestamp"] = date
    request.context["signing"] = {}
    auth = Timed(Credentials(key, secret), "s3", "us-east-1")
    canonical = auth.canonical_request(request)
    return auth.signature(auth.string_to_sign(request, canonical), request)


def refusal(environ):
    field = environ.get("HTTP_AUTHORIZATION", "")
    if not field.startswith("AWS4-HMAC-SHA256 "):
        return "AccessDenied"
    parts = dict(part.strip().split("=", 1) for part in field.split(" ", 1)[1].split(","))
    if not parts["Credential"].startswith(key + "/"):
        return "InvalidAccessKeyId"
    names = parts["SignedHeaders"].split(";")
    date = environ.get("HTTP_X_AMZ_DATE", "")
    if expected(environ, date, names) != parts["Signature"]:
        return "SignatureDoesNotMatch"
    return None


def application(environ, start_response):
    path = environ["PATH_INFO"]
    if path == "/_objects":
        with lock:
            if environ["REQUEST_METHOD"] == "DELETE":
                reset()
            else:
                body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
                for line in body.decode().splitlines():
                    bucket, name, text = json.loads(line)
                    if text is None:
                        backend.delete_object(bucket, name)
                    else:
                        backend.put_object(bucket, name, text.encode())
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]
    if path == "/":
        start_response("200 OK", [("Content-Length", "0")])
        return [b""]
    code = None if path.startswith("/public/") else refusal(environ)
    if code:
        body = f"<?xml version='1.0'?><Error><Code>{code}</Code></Error>".encode()
        start_response("403 Forbidden", [("Content-Length", str(len(body)))])
        return [body]
    # Who may has been decided here; moto shows an object that nobody signed for to nobody.
    environ["HTTP_AUTHORIZATION"] = (
        "AWS4-HMAC-SHA256 Credential=moto/20200101/us-east-1/s3/aws4_request, "
        "SignedHeaders=host, Signature=0"
    )
    environ["HTTP_HOST"] = "s3.amazonaws.com"
    with lock:
        return list(moto(environ, start_response))


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_request(self, *arguments):
        pass


reset()
listener = socket.socket(fileno=sys.stdin.fileno())
host, port = listener.getsockname()
server = ThreadedWSGIServer(host, port, application, handler=Quiet, fd=listener.fileno())
server.serve_forever()
