"""How long the original's start takes: the call of `TFCluster.run` until all its nodes are reserved.

A standalone master and two one-core workers on loopback, InputMode.SPARK, a program that does nothing. The
original's modules import TensorFlow; each executor does that once before the clock starts and
`tensorflow_load_ms` tells how long it took. The value is the median over the rounds, all in one Spark
application. `user_code_ms` is the time until the program has begun on both nodes, `launch_ms` an empty Spark
job of two tasks in the same application, and `stop_ms` the time `shutdown` takes.
"""

import sys

sys.dont_write_bytecode = True

import os

from peerlib import supervise
from peerlib.figures import summary
from peerlib.spark import StandaloneCluster


def arguments(parser):
    parser.add_argument("--rounds", type=int, default=3, help="starts measured (%(default)s)")
    parser.add_argument("--no-pin", dest="pin", action="store_false", help="let each worker and all below it use any core")


def measure(args, folder):
    with StandaloneCluster(os.path.join(folder, "spark"), memory_mb=1024, pinned=args.pin) as cluster:
        job = ["--rounds", args.rounds, "--marks", os.path.join(folder, "marks")]
        found, submission = cluster.submit("original_start_job.py", job)
    start = summary(found["start_ms"], 1)
    return {
        "case": "2 nodes, InputMode.SPARK, empty program, TensorFlow loaded before",
        "value": start["p50"],
        "unit": "ms",
        **start,
        "user_code_ms": summary(found["user_code_ms"], 1),
        "launch_ms": summary(found["launch_ms"], 1),
        "stop_ms": summary(found["stop_ms"], 1),
        "tensorflow_load_ms": round(found["load_ms"], 1),
        "submission_seconds": round(submission, 3),
        "pinned": args.pin,
        "versions": {**supervise.versions("tensorflowonspark", "tensorflow-cpu", "pyspark"), "java": found["java"]},
    }


if __name__ == "__main__":
    needs = ("tensorflow", "tensorflowonspark", "pyspark")
    supervise.run("original_start", __doc__, measure, arguments, needs=needs, tools=("java",), limit=180)
