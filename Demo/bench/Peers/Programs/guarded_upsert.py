"""guarded_upsert.py DATABASE PAYLOAD: what one writes by hand in Python, with its own json and sqlite3.

JSON in memory is parsed and upserted in one transaction; rows that are as they should be are left
alone. Says how long that took, without starting and reading.
"""

import json
import sqlite3
import sys
import time

COLUMNS = ["name", "email", "age", "score", "city", "updated"]
STATEMENT = (
    f"INSERT INTO items (id, {', '.join(COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in COLUMNS)
    + " WHERE "
    + " OR ".join(f"{name} IS NOT excluded.{name}" for name in COLUMNS)
)

database, payload = sys.argv[1:]
with open(payload, "rb") as file:
    text = file.read()
connection = sqlite3.connect(database)
synchronous = connection.execute("PRAGMA synchronous").fetchone()[0]

began = time.perf_counter()
with connection:
    connection.executemany(
        STATEMENT,
        (
            (o["id"], o["name"], o["email"], o["age"], o["score"], o["city"], o["updated"])
            for o in json.loads(text)
        ),
    )
seconds = time.perf_counter() - began
print(json.dumps({"seconds": seconds, "synchronous": synchronous}))
