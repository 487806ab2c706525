"""Notes in Django REST framework as its tutorial would make them, at the socket that is its standard
input: numbers that the database makes as keys, pages of three with `count`, `next`, `previous` and
`results`, a token for each user, and a plain SQLite file. Arguments: that file, and `USER=TOKEN`
for each user. Nothing of it knows of syncing.

    GET, POST            /api/notes/        (`?page=2`, `?search=milk`)
    GET, PUT, DELETE     /api/notes/7/
    GET, POST …          /api/tags/         whose `note` is the key of a note

It ends with the process that started it.
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

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"],
    DATABASES={"default": {
        "ENGINE": "django.db.backends.sqlite3", "NAME": os.path.abspath(sys.argv[1]),
        "OPTIONS": {"timeout": 30}}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "rest_framework",
        "rest_framework.authtoken"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.TokenAuthentication"],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
        "PAGE_SIZE": 3},
    ROOT_URLCONF=__name__, SECRET_KEY="only for tests", USE_TZ=True)
django.setup()

import waitress
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import connection, models
from django.urls import include, path
from rest_framework import filters, routers, serializers, viewsets
from rest_framework.authtoken.models import Token


class Note(models.Model):
    class Meta:
        app_label = "notes"

    owner = models.ForeignKey(User, on_delete=models.CASCADE)
    title = models.CharField(max_length=100)
    text = models.TextField(blank=True, default="")
    stars = models.IntegerField(default=0)
    modified = models.DateTimeField(auto_now=True)


class Tag(models.Model):
    class Meta:
        app_label = "notes"

    note = models.ForeignKey(Note, on_delete=models.CASCADE)
    name = models.CharField(max_length=40)


class NoteSerializer(serializers.ModelSerializer):
    class Meta:
        model = Note
        fields = ["id", "title", "text", "stars", "modified"]


class TagSerializer(serializers.ModelSerializer):
    class Meta:
        model = Tag
        fields = ["id", "note", "name"]


class NoteViews(viewsets.ModelViewSet):
    serializer_class = NoteSerializer
    filter_backends = [filters.SearchFilter]
    search_fields = ["title", "text"]

    def get_queryset(self):
        return Note.objects.filter(owner=self.request.user).order_by("id")

    def perform_create(self, serializer):
        serializer.save(owner=self.request.user)


class TagViews(viewsets.ModelViewSet):
    serializer_class = TagSerializer

    def get_queryset(self):
        return Tag.objects.filter(note__owner=self.request.user).order_by("id")


router = routers.DefaultRouter()
router.register("notes", NoteViews, basename="note")
router.register("tags", TagViews, basename="tag")
urlpatterns = [path("api/", include(router.urls))]

if not os.path.exists(sys.argv[1]):
    call_command("migrate", verbosity=0)
    with connection.schema_editor() as editor:
        editor.create_model(Note)
        editor.create_model(Tag)
    for argument in sys.argv[2:]:
        name, token = argument.split("=")
        Token.objects.create(user=User.objects.create_user(name), key=token)
waitress.serve(
    get_wsgi_application(), sockets=[socket.socket(fileno=os.dup(0))], threads=4, _quiet=True)
