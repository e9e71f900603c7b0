"""The original's feed alone, without Spark: rows through its TFManager queues into numpy batches.

One pair of processes for each executor: the feeder does what the original's feed task does with a row
(`put` into the manager's queue, and `join` at the end), the node takes batches with `TFNode.DataFeed` (`get`
and `task_done` for each row) and makes arrays of float32 of them. A row is a list of floats and a label, as
a Python worker of Spark has it. The value is rows a second over all pairs, from the first `put` to the last
batch. The sum of all values is compared before it counts.
"""

import sys

sys.dont_write_bytecode = True

from peerlib import supervise
from peerlib.ranks import pin


def arguments(parser):
    parser.add_argument("--rows", type=int, default=20000, help="over all pairs (%(default)s)")
    parser.add_argument("--width", type=int, default=784, help="floats in a row (%(default)s)")
    parser.add_argument("--batch", type=int, default=128, help="(%(default)s)")
    parser.add_argument("--pairs", type=int, default=2, help="executors that feed at the same time, each on one core (%(default)s)")
    parser.add_argument("--no-pin", dest="pin", action="store_false", help="let the processes of a pair use any core")


def rows(first, last, width):
    """Whole numbers, so that sums are exact; some distinct rows, by turns."""
    distinct = [[float((i * 31 + j) % 256) for j in range(width)] for i in range(64)]
    return [(distinct[i % 64], float(i % 10)) for i in range(first, last)]


def feeder(address, authkey, data, start, begun):
    import time

    from tensorflowonspark import TFManager

    queue = TFManager.connect(address, authkey).get_queue("input")
    start.wait()
    begun.value = time.monotonic()
    for row in data:
        queue.put(row, block=True)
    queue.join()
    queue.put(None, block=True)


def node(manager, batch, width, start, outcome):
    import time

    import numpy as np
    from tensorflowonspark import TFNode

    feed = TFNode.DataFeed(manager, train_mode=False)
    count, total, last = 0, 0.0, 0.0
    start.wait()
    while not feed.should_stop():
        items = feed.next_batch(batch)
        if items:
            x = np.array([row[0] for row in items], dtype=np.float32)
            y = np.array([row[1] for row in items], dtype=np.float32)
            last = time.monotonic()
            count += len(items)
            total += float(x.sum(dtype=np.float64)) + float(y.sum(dtype=np.float64))
    outcome[:] = [count, total, last]


def pair(index, data, args, start, begun, outcome):
    """Stands for one executor: starts the manager, then the node and the feeder."""
    import multiprocessing
    import uuid

    from tensorflowonspark import TFManager

    if args.pin:
        pin(index)
    authkey = uuid.uuid4().bytes
    manager = TFManager.start(authkey, ["input", "output", "error"])
    manager.set("state", "running")
    context = multiprocessing.get_context("fork")
    children = [
        context.Process(target=node, args=(manager, args.batch, args.width, start, outcome)),
        context.Process(target=feeder, args=(manager.address, authkey, data, start, begun)),
    ]
    for child in children:
        child.start()
    for child in children:
        child.join()
    manager.shutdown()
    if any(child.exitcode for child in children):
        raise SystemExit(1)


def measure(args, folder):
    import multiprocessing
    import os

    os.environ.update(TF_CPP_MIN_LOG_LEVEL="2", CUDA_VISIBLE_DEVICES="")
    import tensorflowonspark.TFNode  # once, before the processes fork

    context = multiprocessing.get_context("fork")
    start = context.Barrier(2 * args.pairs, timeout=60)
    bounds = [args.rows * p // args.pairs for p in range(args.pairs + 1)]
    executors = []
    for p in range(args.pairs):
        data = rows(bounds[p], bounds[p + 1], args.width)
        begun, outcome = context.Value("d", 0.0), context.Array("d", 3)
        process = context.Process(target=pair, args=(p, data, args, start, begun, outcome))
        process.start()
        expected = sum(sum(row) + label for row, label in data)
        executors.append((process, begun, outcome, len(data), expected))
    for process, _, _, _, _ in executors:
        process.join()
    for process, _, outcome, count, expected in executors:
        if process.exitcode:
            raise supervise.PeerError("a pair of processes failed, see above")
        if outcome[0] != count or outcome[1] != expected:
            raise supervise.PeerError("%d rows of sum %r arrived where %d of sum %r were fed" % (outcome[0], outcome[1], count, expected))
    seconds = max(outcome[2] for _, _, outcome, _, _ in executors) - min(begun.value for _, begun, _, _, _ in executors)
    return {
        "case": "%d floats and a label, batch %d, %d pairs" % (args.width, args.batch, args.pairs),
        "value": round(args.rows / seconds, 1),
        "unit": "rows/s",
        "rows": args.rows,
        "seconds": round(seconds, 3),
        "pairs": args.pairs,
        "pinned": args.pin,
        "versions": supervise.versions("tensorflowonspark", "tensorflow-cpu", "numpy"),
    }


if __name__ == "__main__":
    supervise.run("original_feed", __doc__, measure, arguments, needs=("tensorflow", "tensorflowonspark"), limit=180)
