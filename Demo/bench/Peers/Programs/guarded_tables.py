"""guarded_tables.py DATABASE PAYLOAD: nested objects into related tables, as one writes it by hand.

With Python's own json and sqlite3, in one transaction: rows that are as they should be are left
alone, and those that the payload has no more are deleted. Says how long that took, without starting
and reading.
"""

import json
import sqlite3
import sys
import time

database, payload = sys.argv[1:]
with open(payload, "rb") as file:
    text = file.read()
connection = sqlite3.connect(database, isolation_level=None)
connection.execute("PRAGMA foreign_keys = ON")
synchronous = connection.execute("PRAGMA synchronous").fetchone()[0]


def upsert(table, columns, rows):
    rest = columns[1:]
    connection.executemany(
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))}) "
        f"ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in rest)} "
        f"WHERE {' OR '.join(f'{table}.{name} IS NOT excluded.{name}' for name in rest)}",
        rows,
    )


def delete_others(table, keys):
    connection.execute("CREATE TEMP TABLE kept (id INTEGER PRIMARY KEY)")
    connection.executemany("INSERT OR IGNORE INTO kept VALUES (?)", ((key,) for key in keys))
    connection.execute(f"DELETE FROM {table} WHERE id NOT IN (SELECT id FROM kept)")
    connection.execute("DROP TABLE temp.kept")


def below(name):
    return ((user, child) for user in users for child in user[name])


began = time.perf_counter()
users = json.loads(text)
connection.execute("BEGIN IMMEDIATE")
names = ["id", "name", "email", "score", "active"]
upsert("users", names, (tuple(user[name] for name in names) for user in users))
upsert(
    "orders",
    ["id", "total", "state", "user_id"],
    ((o["id"], o["total"], o["state"], user["id"]) for user, o in below("orders")),
)
upsert(
    "addresses",
    ["id", "city", "zip", "user_id"],
    ((a["id"], a["city"], a["zip"], user["id"]) for user, a in below("addresses")),
)
upsert("tags", ["id", "label"], ((t["id"], t["label"]) for _, t in below("tags")))
connection.execute(
    "CREATE TEMP TABLE links (user_id, tag_id, PRIMARY KEY (user_id, tag_id)) WITHOUT ROWID"
)
connection.executemany(
    "INSERT OR IGNORE INTO links VALUES (?, ?)", ((user["id"], t["id"]) for user, t in below("tags"))
)
connection.execute(
    "DELETE FROM users_tags WHERE (user_id, tag_id) NOT IN (SELECT user_id, tag_id FROM links)"
)
connection.execute("INSERT OR IGNORE INTO users_tags SELECT user_id, tag_id FROM links")
for table in ["orders", "addresses"]:
    delete_others(table, (child["id"] for _, child in below(table)))
delete_others("users", (user["id"] for user in users))
connection.execute("COMMIT")
seconds = time.perf_counter() - began
print(json.dumps({"seconds": seconds, "synchronous": synchronous}))
