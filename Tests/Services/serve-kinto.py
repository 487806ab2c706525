"""A Kinto server at the socket that is its standard input; its arguments are settings: NAME=VALUE.

It has nothing at first and forgets all when it ends. It ends with the process that started it.
"""
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

from kinto import main  # noqa: E402
from waitress import create_server  # noqa: E402
from webob.static import DirectoryApp  # noqa: E402

listener = socket.socket(fileno=0)
attachments = os.path.abspath("attachments")
os.makedirs(attachments, exist_ok=True)
host, port = listener.getsockname()[:2]

settings = {
    "kinto.includes": "kinto.plugins.default_bucket kinto.plugins.accounts kinto.plugins.flush"
    " kinto.plugins.history kinto_attachment",
    "multiauth.policies": "account",
    "multiauth.policy.account.use": "kinto.plugins.accounts.AccountsPolicy",
    "kinto.account_create_principals": "system.Everyone",
    "kinto.bucket_create_principals": "system.Authenticated",
    "kinto.userid_hmac_secret": "a secret of the tests",
    "kinto.default_bucket_hmac_secret": "another secret of the tests",
    "kinto.storage_backend": "kinto.core.storage.memory",
    "kinto.cache_backend": "kinto.core.cache.memory",
    "kinto.permission_backend": "kinto.core.permission.memory",
    "kinto.experimental_collection_schema_validation": "true",
    "kinto.paginate_by": "500",
    "kinto.batch_max_requests": "100",
    "kinto.attachment.base_path": attachments,
    "kinto.attachment.base_url": f"http://{host}:{port}/files/",
    **dict(argument.split("=", 1) for argument in sys.argv[1:]),
}
kinto = main({}, config=None, **settings)
files = DirectoryApp(attachments)


def serve(environ, start_response):
    """Attachments are read past Kinto, as behind a web server."""
    if environ["PATH_INFO"].startswith("/files/"):
        environ["SCRIPT_NAME"] += "/files"
        environ["PATH_INFO"] = environ["PATH_INFO"][len("/files"):]
        return files(environ, start_response)
    return kinto(environ, start_response)


create_server(serve, sockets=[listener], threads=8).run()
