"""The original, TensorFlowOnSpark 2.2.5, training MNIST from Spark: its example `mnist/keras/mnist_spark.py`.

A standalone master and two one-core workers on loopback, InputMode.SPARK, MultiWorkerMirroredStrategy, the
example's CNN, batch 64 a node, one epoch cut at 90 % of its steps, a checkpoint and an export at the end as in
the example. The value is the seconds from the call of `cluster.train` to the end of `cluster.shutdown`;
`submission_seconds` is the whole spark-submit. Starting master and workers and writing the CSV are left out.

In the example TensorFlow shards the dataset by itself (`--sharding example`): of the 64 rows that a node takes
from its feed for a step it trains 32 and drops 32. `--sharding off` trains every row that is taken, 64 a node
and step. `rows_taken` and `rows_trained` tell which it was.
"""

import sys

sys.dont_write_bytecode = True

import os

from peerlib import mnist, supervise
from peerlib.spark import StandaloneCluster


def arguments(parser):
    parser.add_argument("--data", required=True, metavar="DIR", help="folder with the IDX files of MNIST")
    parser.add_argument("--rows", type=int, default=60000, help="images used, from the start (%(default)s)")
    parser.add_argument("--batch", type=int, default=64, help="rows a node takes for a step (%(default)s)")
    parser.add_argument("--sharding", choices=("example", "off"), default="example", help="see above (%(default)s)")
    parser.add_argument("--optimizer", choices=("sgd", "adam"), default="sgd", help="rate 0.001 (%(default)s, as in the example)")
    parser.add_argument("--input", choices=("csv", "rows"), default="csv", help="CSV text as the example reads it, or rows of a cached DataFrame (%(default)s)")
    parser.add_argument("--csv", metavar="DIR", help="keep the CSV here for the next round instead of in a temporary folder")
    parser.add_argument("--partitions", type=int, default=10, help="of the input (%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="TensorFlow threads of a node within an operation, 0 for its own choice (%(default)s)")
    parser.add_argument("--no-pin", dest="pin", action="store_false", help="let each worker and all below it use any core")


def measure(args, folder):
    images, labels = mnist.load(args.data, "train", args.rows)
    job = ["--input", args.input, "--rows", args.rows, "--batch", args.batch, "--sharding", args.sharding]
    job += ["--optimizer", args.optimizer, "--partitions", args.partitions, "--model", os.path.join(folder, "model")]
    if args.input == "csv":
        csv = os.path.abspath(args.csv) if args.csv else os.path.join(folder, "csv")
        mnist.write_csv(csv, images, labels, args.partitions)
        job += ["--csv", csv]
    else:
        for kind in ("images", "labels"):
            path = os.path.abspath(mnist.find(args.data, "train", kind))
            if path.endswith(".gz"):
                raise supervise.PeerError("--input rows wants plain IDX files, %s is packed" % path)
            job += ["--%s" % kind, path]
    conf = {}
    if args.threads:
        conf["spark.executorEnv.TF_NUM_INTRAOP_THREADS"] = args.threads
    with StandaloneCluster(os.path.join(folder, "spark"), pinned=args.pin) as cluster:
        found, submission = cluster.submit("original_mnist_job.py", job, conf)

    nodes = found["nodes"]
    return {
        "case": "cnn, batch %d a node, %s, 2 one-core executors, %s" % (args.batch, args.optimizer, args.input),
        "value": round(found["train_seconds"] + found["shutdown_seconds"], 3),
        "unit": "s",
        "submission_seconds": round(submission, 3),
        "start_seconds": round(found["start_seconds"], 3),
        "train_seconds": round(found["train_seconds"], 3),
        "shutdown_seconds": round(found["shutdown_seconds"], 3),
        "fit_seconds": round(max(n["fit_seconds"] for n in nodes), 3),
        "rows": args.rows,
        "rows_taken": sum(n["steps"] for n in nodes) * args.batch,
        "rows_trained": sum(n["steps"] for n in nodes) * (args.batch // 2 if args.sharding == "example" else args.batch),
        "steps": nodes[0]["steps"],
        "sharding": args.sharding,
        "train_accuracy": round(nodes[0]["accuracy"], 4),
        "intra_op_threads": args.threads,
        "pinned": args.pin,
        "versions": {**supervise.versions("tensorflowonspark", "tensorflow-cpu", "tf_keras", "pyspark"), "java": found["java"]},
    }


if __name__ == "__main__":
    needs = ("tensorflow", "tf_keras", "tensorflowonspark", "pyspark")
    supervise.run("original_mnist", __doc__, measure, arguments, needs=needs, tools=("java",), limit=600)
