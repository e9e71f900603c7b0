"""What training in step costs in TensorFlow: MultiWorkerMirroredStrategy with two one-core processes.

Three ways of the same training step on the same batches in memory: one process alone, two processes at once
that do not exchange anything, and two processes in step. The value is the median milliseconds of a step in
step; `ratio` is the samples a second of two in step over two without exchange (two busy cores slow each other
on one machine), `efficiency` over twice one alone. The step is a compiled `tf.function` with the smallest
Python part there is, which is quicker than Keras `fit`. Loopback is not a network.
"""

import sys

sys.dont_write_bytecode = True

from peerlib import supervise
from peerlib.figures import summary
from peerlib.ranks import launch

MODELS = ("cnn", "mlp-0.1m", "mlp-1m", "mlp-25m")


def arguments(parser):
    parser.add_argument("--model", choices=MODELS, default="cnn", help="the original's CNN, or a net of dense layers on 784 inputs by its parameters (%(default)s)")
    parser.add_argument("--batch", type=int, default=64, help="rows a process and step (%(default)s)")
    parser.add_argument("--steps", type=int, default=200, help="timed steps (%(default)s)")
    parser.add_argument("--warmup", type=int, default=20, help="steps before that (%(default)s)")
    parser.add_argument("--optimizer", choices=("sgd", "adam"), default="sgd", help="rate 0.001 (%(default)s)")
    parser.add_argument("--no-pin", dest="pin", action="store_false", help="let each process use any core")


def measure(args, folder):
    job = ["--model", args.model, "--batch", args.batch, "--steps", args.steps, "--warmup", args.warmup, "--optimizer", args.optimizer]
    apart = ["--meet", folder]
    one = launch(folder, "one", "mwms_rank.py", 1, job + apart, pinned=args.pin, connected=False)
    two = launch(folder, "two", "mwms_rank.py", 2, job + apart, pinned=args.pin, connected=False)
    step = launch(folder, "step", "mwms_rank.py", 2, job, pinned=args.pin)
    if step[0]["sum"] != step[1]["sum"]:
        raise supervise.PeerError("the two processes in step ended with different weights: %r and %r" % (step[0]["sum"], step[1]["sum"]))

    def rate(found):
        return sum(args.batch * args.steps / f["seconds"] for f in found)

    times = summary(step[0]["ms"], 4)
    return {
        "case": "%s, batch %d a process, %s" % (args.model, args.batch, args.optimizer),
        "value": times["p50"],
        "unit": "ms/step",
        **times,
        "one_ms": summary(one[0]["ms"], 4)["p50"],
        "two_apart_ms": summary(two[0]["ms"] + two[1]["ms"], 4)["p50"],
        "one_samples_per_second": round(rate(one), 1),
        "two_apart_samples_per_second": round(rate(two), 1),
        "in_step_samples_per_second": round(rate(step), 1),
        "ratio": round(rate(step) / rate(two), 4),
        "efficiency": round(rate(step) / 2 / rate(one), 4),
        "parameters": step[0]["parameters"],
        "intra_op_threads": 1,
        "pinned": args.pin,
        "versions": supervise.versions("tensorflow-cpu", "tf_keras"),
    }


if __name__ == "__main__":
    supervise.run("mwms_scaling", __doc__, measure, arguments, needs=("tensorflow", "tf_keras"), limit=300)
