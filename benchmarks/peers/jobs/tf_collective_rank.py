"""One process of `tf_collective.py`; see there."""

import argparse
import json
import statistics
import time


def main():
    import numpy as np
    import tensorflow as tf

    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--hint", required=True)
    for name in ("rank", "ranks", "bytes", "iters", "warmup", "inner"):
        parser.add_argument("--" + name, type=int, required=True)
    args = parser.parse_args()

    # Brings up the gRPC server and the collective executor of this process.
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    assert strategy.num_replicas_in_sync == args.ranks
    device = "/job:worker/replica:0/task:%d/device:CPU:0" % args.rank
    count = args.bytes // 4

    @tf.function(input_signature=[tf.TensorSpec((count,))])
    def reduce(x):
        for i in range(args.inner):
            x = tf.raw_ops.CollectiveReduceV2(
                input=x,
                group_size=args.ranks,
                group_key=7001,
                instance_key=9001 + i,
                ordering_token=[],
                merge_op="Add",
                final_op="Id",
                communication_hint=args.hint,
                timeout_seconds=60,
            )
        return x

    @tf.function(input_signature=[tf.TensorSpec((count,))])
    def nothing(x):
        return tf.identity(x)

    with tf.device(device):
        mine = tf.constant(np.arange(count, dtype=np.float32) % 1000 + args.rank)
        got = reduce(mine).numpy()
        wanted = (np.arange(count, dtype=np.float32) % 1000 * args.ranks + sum(range(args.ranks))) * args.ranks ** (args.inner - 1)
        if not np.array_equal(got, wanted):
            raise SystemExit("the all-reduce gave a wrong sum")

        samples = []
        for i in range(args.warmup + args.iters):
            begin = time.perf_counter_ns()
            reduce(mine)
            samples.append((time.perf_counter_ns() - begin) / 1e3 / args.inner)
        calls = []
        for i in range(args.warmup + args.iters):
            begin = time.perf_counter_ns()
            nothing(mine)
            calls.append((time.perf_counter_ns() - begin) / 1e3)
        # Nobody leaves while another still needs it.
        reduce(mine)
    with open(args.out, "w") as f:
        json.dump({"us": samples[args.warmup :], "call_us": statistics.median(calls[args.warmup :])}, f)


if __name__ == "__main__":
    main()
