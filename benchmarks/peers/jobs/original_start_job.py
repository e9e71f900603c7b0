"""The Spark program of `original_start.py`; see there. Runs under spark-submit."""

import argparse
import json
import os
import time


def program(args, ctx):
    """What each node of the original's cluster runs: it only tells when it began."""
    import os
    import time

    now = time.time()
    with open(os.path.join(args.marks, "%d-%d.part" % (args.round, ctx.executor_id)), "w") as f:
        f.write(repr(now))
    os.rename(f.name, f.name.removesuffix(".part"))


def begun(marks, number):
    """When the program had begun on both nodes."""
    files = [os.path.join(marks, "%d-%d" % (number, node)) for node in range(2)]
    until = time.time() + 60
    while not all(map(os.path.exists, files)):
        if time.time() > until:
            raise SystemExit("the program did not begin on both nodes within 60 s")
        time.sleep(0.01)
    found = []
    for file in files:
        with open(file) as f:
            found.append(float(f.read()))
    return max(found)


def load(_):
    import tensorflowonspark.TFSparkNode

    # Holds the core, so that the other task goes to the other executor.
    import time

    time.sleep(1)


def nothing(_):
    pass


def main():
    from pyspark import SparkConf, SparkContext
    from tensorflowonspark import TFCluster

    parser = argparse.ArgumentParser()
    parser.add_argument("--result", required=True)
    parser.add_argument("--marks", required=True)
    parser.add_argument("--rounds", type=int, required=True)
    args = parser.parse_args()
    os.makedirs(args.marks, exist_ok=True)
    sc = SparkContext(conf=SparkConf().setAppName("original_start"))

    begin = time.time()
    sc.parallelize(range(2), 2).foreachPartition(load)
    found = {"load_ms": (time.time() - begin - 1) * 1e3, "start_ms": [], "user_code_ms": [], "launch_ms": [], "stop_ms": []}
    for number in range(args.rounds):
        args.round = number
        begin = time.time()
        sc.parallelize(range(2), 2).foreachPartition(nothing)
        found["launch_ms"].append((time.time() - begin) * 1e3)

        begin = time.time()
        cluster = TFCluster.run(sc, program, args, 2, num_ps=0, input_mode=TFCluster.InputMode.SPARK, master_node="chief", reservation_timeout=60)
        found["start_ms"].append((time.time() - begin) * 1e3)
        found["user_code_ms"].append((begun(args.marks, number) - begin) * 1e3)

        begin = time.time()
        cluster.shutdown(timeout=-1)
        found["stop_ms"].append((time.time() - begin) * 1e3)
    found["java"] = sc._jvm.java.lang.System.getProperty("java.version")
    sc.stop()
    with open(args.result, "w") as f:
        json.dump(found, f)


if __name__ == "__main__":
    main()
