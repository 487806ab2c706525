"""WebDAV servers at the socket that is its standard input; the arguments say which, and its folder.

`wsgidav` serves that folder to everybody; `radicale` keeps address books in it, for anybody who gives
a name.
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

from waitress import create_server  # noqa: E402


def wsgidav():
    from wsgidav.wsgidav_app import WsgiDAVApp

    return WsgiDAVApp(
        {
            "provider_mapping": {"/": {"root": sys.argv[2], "readonly": True}},
            "simple_dc": {"user_mapping": {"*": True}},
            "dir_browser": {"enable": False},
            # By default, links are passed over.
            "fs_dav_provider": {"follow_symlinks": True},
            "verbose": 0,
        }
    )


def radicale():
    from radicale import Application, config

    settings = config.load()
    settings.update(
        {
            "auth": {"type": "none"},
            "storage": {"filesystem_folder": sys.argv[2]},
            "rights": {"type": "authenticated"},
            "logging": {"level": "critical"},
        },
        "tests",
        privileged=True,
    )
    return Application(settings)


application = {"wsgidav": wsgidav, "radicale": radicale}[sys.argv[1]]()
create_server(application, sockets=[socket.socket(fileno=0)], threads=8).run()
