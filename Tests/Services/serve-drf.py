"""A service by Django REST framework at the socket that is its standard input: lists and tasks in
SQLite, with numeric keys of the service's own, pages of three, and a token, which is its argument.

A task says which list it's of. A change of a task that doesn't name the date of the present one is
refused (409) with the present row. A title of more than 40 characters is refused (400).

It forgets all rows when it ends, and ends with the process that started it.
"""
import os
import socket
import sys
import tempfile
import threading
import time

import django
from django.conf import settings


def end_with(parent):
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


threading.Thread(target=end_with, args=[os.getppid()], daemon=True).start()
folder = tempfile.mkdtemp()
settings.configure(
    DEBUG=False,
    SECRET_KEY="of a test",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    TIME_ZONE="UTC",
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": folder + "/rows.sqlite"}
    },
    INSTALLED_APPS=[
        "django.contrib.contenttypes",
        "django.contrib.auth",
        "rest_framework",
        "rest_framework.authtoken",
    ],
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.TokenAuthentication"],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
        "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "PAGE_SIZE": 3,
    },
)
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import include, path  # noqa: E402
from rest_framework import serializers, viewsets  # noqa: E402
from rest_framework.authtoken.models import Token  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.routers import DefaultRouter  # noqa: E402
from waitress import create_server  # noqa: E402


class List(models.Model):
    title = models.CharField(max_length=40)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "rows"


class Task(models.Model):
    title = models.CharField(max_length=40)
    done = models.BooleanField(default=False)
    list = models.ForeignKey(List, null=True, on_delete=models.SET_NULL)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        app_label = "rows"


def served(model, *names):
    class Rows(serializers.ModelSerializer):
        class Meta:
            fields = ["id", *names, "updated"]

    Rows.Meta.model = model

    class View(viewsets.ModelViewSet):
        queryset = model.objects.order_by("id")
        serializer_class = Rows

        def update(self, request, *args, **kwargs):
            present = self.get_serializer(self.get_object()).data
            if request.data.get("updated") != present["updated"]:
                return Response(present, status=409)
            return super().update(request, *args, **kwargs)

    return View


router = DefaultRouter()
router.register("lists", served(List, "title"))
router.register("tasks", served(Task, "title", "done", "list"))
urlpatterns = [path("api/", include(router.urls))]

call_command("migrate", run_syncdb=True, verbosity=0)
with connection.schema_editor() as editor:
    for model in (List, Task):
        editor.create_model(model)
Token.objects.create(user=User.objects.create(username="ann"), key=sys.argv[1])
create_server(
    get_wsgi_application(), sockets=[socket.socket(fileno=0)], threads=4
).run()
