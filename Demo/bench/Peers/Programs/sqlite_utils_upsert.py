"""sqlite_utils_upsert.py DATABASE PAYLOAD: `upsert_all` of sqlite-utils, in one transaction.

The objects are parsed before the clock starts. Says how long the rest took.
"""

import json
import sys
import time

import sqlite_utils

path, payload = sys.argv[1:]
with open(payload, "rb") as file:
    objects = json.loads(file.read())
database = sqlite_utils.Database(path)
synchronous = database.execute("PRAGMA synchronous").fetchone()[0]

began = time.perf_counter()
with database.atomic():
    database["items"].upsert_all(objects, pk="id")
seconds = time.perf_counter() - began
database.close()
print(json.dumps({"seconds": seconds, "synchronous": synchronous}))
