"""PySpark's fastest way of rows into Python: `mapInArrow` over a cached DataFrame, into numpy.

A standalone master and two one-core workers on loopback. Rows of floats and a label, cached; each round runs
`mapInArrow`, views the Arrow buffers as numpy arrays and goes through them in batches. The value is rows a
second, the median of the rounds, counting the whole Spark job. Each round checks count and sum of labels, the
warm-up round the sum of all values as well. `unread_rows_per_second` is the same cached table through an empty
`mapInArrow` that throws the batches away.
"""

import sys

sys.dont_write_bytecode = True

import os

from peerlib import supervise
from peerlib.figures import summary
from peerlib.spark import StandaloneCluster


def arguments(parser):
    parser.add_argument("--rows", type=int, default=480000, help="(%(default)s)")
    parser.add_argument("--width", type=int, default=784, help="floats in a row (%(default)s)")
    parser.add_argument("--partitions", type=int, default=16, help="(%(default)s)")
    parser.add_argument("--batch", type=int, default=128, help="(%(default)s)")
    parser.add_argument("--arrow-batch", type=int, default=10000, help="spark.sql.execution.arrow.maxRecordsPerBatch (%(default)s)")
    parser.add_argument("--copy", action="store_true", help="copy each batch into one reused array instead of viewing it")
    parser.add_argument("--rounds", type=int, default=3, help="(%(default)s)")
    parser.add_argument("--memory-mb", type=int, default=3072, help="of each executor (%(default)s)")
    parser.add_argument("--no-pin", dest="pin", action="store_false", help="let each worker and all below it use any core")


def measure(args, folder):
    with StandaloneCluster(os.path.join(folder, "spark"), memory_mb=args.memory_mb, pinned=args.pin) as cluster:
        job = ["--rows", args.rows, "--width", args.width, "--partitions", args.partitions, "--batch", args.batch, "--rounds", args.rounds]
        job += ["--copy"] if args.copy else []
        conf = {"spark.sql.execution.arrow.maxRecordsPerBatch": args.arrow_batch}
        found, _ = cluster.submit("arrow_feed_job.py", job, conf)
    if found["error"]:
        raise supervise.PeerError(found["error"])
    rates = summary([args.rows / s for s in found["seconds"]], 1)
    return {
        "case": "%d floats and a label, batch %d, 2 one-core executors%s" % (args.width, args.batch, ", copied" if args.copy else ""),
        "value": rates["p50"],
        "unit": "rows/s",
        **rates,
        "unread_rows_per_second": round(args.rows / min(found["scan_seconds"]), 1),
        "cached_in_memory": found["on_disk"] == 0,
        "rows": args.rows,
        "partitions": args.partitions,
        "arrow_batch": args.arrow_batch,
        "pinned": args.pin,
        "versions": {**supervise.versions("pyspark", "pyarrow", "numpy"), "java": found["java"]},
    }


if __name__ == "__main__":
    supervise.run("arrow_feed", __doc__, measure, arguments, needs=("pyspark", "pyarrow", "numpy"), tools=("java",), limit=300)
