"""sqlite_utils_tables.py DATABASE PAYLOAD: nested objects into related tables with sqlite-utils.

What is nested is taken out by hand, as it has no rows for it, and upserted a table at a time, in one
transaction. The objects are parsed before the clock starts. Says how long the rest took.
"""

import json
import sys
import time

import sqlite_utils

path, payload = sys.argv[1:]
with open(payload, "rb") as file:
    users = json.loads(file.read())
database = sqlite_utils.Database(path)
synchronous = database.execute("PRAGMA synchronous").fetchone()[0]
NESTED = ["orders", "addresses", "tags"]

began = time.perf_counter()
with database.atomic():
    database["users"].upsert_all(
        ({name: value for name, value in user.items() if name not in NESTED} for user in users),
        pk="id",
    )
    for name in ["orders", "addresses"]:
        database[name].upsert_all(
            ({**child, "user_id": user["id"]} for user in users for child in user[name]), pk="id"
        )
    database["tags"].upsert_all((tag for user in users for tag in user["tags"]), pk="id")
    database["users_tags"].upsert_all(
        ({"user_id": user["id"], "tag_id": tag["id"]} for user in users for tag in user["tags"]),
        pk=("user_id", "tag_id"),
    )
seconds = time.perf_counter() - began
database.close()
print(json.dumps({"seconds": seconds, "synchronous": synchronous}))
