"""dlt_merge.py DATABASE PAYLOAD TABLE: a pipeline of dlt's that merges nested objects into SQLite.

Says how long extracting, normalising and loading took, without starting and parsing. Its own state
is kept beside the database.
"""

import json
import os
import sys
import time

os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
os.environ["RUNTIME__LOG_LEVEL"] = "CRITICAL"

import dlt

path, payload, table = sys.argv[1:]
with open(payload, "rb") as file:
    objects = json.loads(file.read())
pipeline = dlt.pipeline(
    pipeline_name="bench",
    pipelines_dir="pipeline",
    destination=dlt.destinations.sqlalchemy(f"sqlite:///{os.path.abspath(path)}"),
    dataset_name="main",
)
rows = dlt.resource(objects, name=table, primary_key="id", write_disposition="merge")

began = time.perf_counter()
pipeline.run(rows).raise_on_failed_jobs()
seconds = time.perf_counter() - began
with pipeline.sql_client() as client:
    synchronous = client.execute_sql("PRAGMA synchronous")[0][0]
print(json.dumps({"seconds": seconds, "synchronous": synchronous}))
