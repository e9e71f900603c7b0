"""TensorFlow's own all-reduce: the operation CollectiveReduceV2 over gRPC between two processes on loopback.

It is what MultiWorkerMirroredStrategy uses on CPUs. Each process has one core and one thread within an
operation. The value is the median time of one all-reduce of float32 as rank 0 sees it, in microseconds: a
call of a compiled `tf.function` that holds `--inner` of them one after another, divided by their number.
`call_us` is the same call without the all-reduce. The sum is checked first. Loopback is not a network.
"""

import sys

sys.dont_write_bytecode = True

from peerlib import supervise
from peerlib.figures import summary
from peerlib.ranks import launch


def arguments(parser):
    parser.add_argument("--bytes", type=int, default=4096, help="size of what is reduced, a multiple of 4 (%(default)s)")
    parser.add_argument("--iters", type=int, default=0, help="timed calls (by size: 1000, 200 or 7)")
    parser.add_argument("--warmup", type=int, default=0, help="calls before that (by size: 300, 50 or 2)")
    parser.add_argument("--inner", type=int, default=1, help="all-reduces in one call (%(default)s)")
    parser.add_argument("--hint", choices=("auto", "ring"), default="ring", help="communication hint (%(default)s)")
    parser.add_argument("--no-pin", dest="pin", action="store_false", help="let each process use any core")


def measure(args, folder):
    if args.bytes <= 0 or args.bytes % 4:
        raise supervise.PeerError("--bytes must be a multiple of 4, not %d" % args.bytes)
    size = 0 if args.bytes <= 65536 else 1 if args.bytes <= 4 << 20 else 2
    iters = args.iters or (1000, 200, 7)[size]
    warmup = args.warmup or (300, 50, 2)[size]
    job = ["--bytes", args.bytes, "--iters", iters, "--warmup", warmup, "--inner", args.inner, "--hint", args.hint]
    found = launch(folder, "rank", "tf_collective_rank.py", 2, job, pinned=args.pin)
    times = summary(found[0]["us"], 2)
    return {
        "case": "%d bytes, 2 processes, gRPC on loopback" % args.bytes,
        "value": times["p50"],
        "unit": "us",
        **times,
        "megabytes_per_second": round(args.bytes / times["p50"], 2),
        "call_us": round(found[0]["call_us"], 2),
        "bytes": args.bytes,
        "inner": args.inner,
        "hint": args.hint,
        "intra_op_threads": 1,
        "pinned": args.pin,
        "versions": supervise.versions("tensorflow-cpu"),
    }


if __name__ == "__main__":
    supervise.run("tf_collective", __doc__, measure, arguments, needs=("tensorflow",), limit=180)
