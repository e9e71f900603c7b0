"""Keras `fit` on MNIST in one process: the speed a user has without any cluster.

The model is the one of the original's example (Conv2D 32 3x3 relu, MaxPooling 2x2, Flatten, Dense 64 relu,
Dense 10), in memory as float32. The value is the seconds of one epoch of `fit`, the mean if there are more.
Before that `fit` runs on a few batches, so that building the graph is left out, and everything the warm-up
changed is set back. Loading the files is left out as well; `load_seconds` tells it.
"""

import sys

sys.dont_write_bytecode = True

from peerlib import mnist, supervise


def arguments(parser):
    parser.add_argument("--data", required=True, metavar="DIR", help="folder with the IDX files of MNIST")
    parser.add_argument("--rows", type=int, default=60000, help="images used, from the start (%(default)s)")
    parser.add_argument("--batch", type=int, default=128, help="rows a step (%(default)s)")
    parser.add_argument("--epochs", type=int, default=1, help="(%(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="TensorFlow threads within and between operations (%(default)s)")
    parser.add_argument("--optimizer", choices=("sgd", "adam"), default="sgd", help="rate 0.001; sgd is what the original's example uses (%(default)s)")
    parser.add_argument("--keras", choices=("3", "legacy"), default="3", help="Keras 3, or the Keras 2 that the original needs (%(default)s)")
    parser.add_argument("--jit", choices=("auto", "on", "off"), default="auto", help="compile with XLA; auto is Keras's own choice (%(default)s)")
    parser.add_argument("--warmup", type=int, default=3, metavar="BATCHES", help="batches of the warm-up (%(default)s)")


def measure(args, folder):
    import os
    import time

    os.environ.update(TF_CPP_MIN_LOG_LEVEL="2", CUDA_VISIBLE_DEVICES="", KERAS_BACKEND="tensorflow")
    import numpy as np
    import tensorflow as tf

    if args.keras == "3":
        import keras
    else:
        import tf_keras as keras
    tf.config.threading.set_intra_op_parallelism_threads(args.threads)
    tf.config.threading.set_inter_op_parallelism_threads(args.threads)
    keras.utils.set_random_seed(1)

    begin = time.perf_counter()
    images, labels = mnist.load(args.data, "train", args.rows)
    x = images.astype(np.float32)[..., np.newaxis] / 255.0
    y = labels.astype(np.int64)
    load_seconds = time.perf_counter() - begin

    layers = keras.layers
    model = keras.Sequential(
        [
            layers.Input((28, 28, 1)),
            layers.Conv2D(32, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
            layers.Dense(10),
        ]
    )
    optimizer = keras.optimizers.SGD(0.001) if args.optimizer == "sgd" else keras.optimizers.Adam(0.001)
    jit = {} if args.jit == "auto" else {"jit_compile": args.jit == "on"}
    model.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"], **jit)
    optimizer.build(model.trainable_variables)

    def variables():
        return list(model.variables) + [v for v in optimizer_variables() if v is not None]

    def optimizer_variables():
        found = optimizer.variables
        return found() if callable(found) else found

    start = [np.array(v) for v in variables()]
    # Ends with a batch as short as the last of the epoch: XLA compiles for each shape anew.
    warm = min(args.rows, args.warmup * args.batch + args.rows % args.batch)
    model.fit(x[:warm], y[:warm], batch_size=args.batch, epochs=1, verbose=0)
    for variable, value in zip(variables(), start):
        variable.assign(value)

    seconds, history = [], None
    for epoch in range(args.epochs):
        begin = time.perf_counter()
        history = model.fit(x, y, batch_size=args.batch, epochs=1, verbose=0)
        seconds.append(time.perf_counter() - begin)

    result = {
        "case": "cnn, batch %d, %s, one process, %d threads" % (args.batch, args.optimizer, args.threads),
        "value": round(sum(seconds) / len(seconds), 4),
        "unit": "s/epoch",
        "jit": args.jit,
        "rows": args.rows,
        "rows_per_second": round(args.rows * len(seconds) / sum(seconds), 1),
        "epoch_seconds": [round(s, 4) for s in seconds],
        "parameters": int(model.count_params()),
        "warmup": "fit on %d rows before the clock starts, its changes undone" % warm,
        "load_seconds": round(load_seconds, 3),
        "train_accuracy": round(float(history.history["accuracy"][-1]), 4),
    }
    try:
        test_images, test_labels = mnist.load(args.data, "t10k")
    except supervise.PeerError:
        result["test_accuracy"] = None
    else:
        test = test_images.astype(np.float32)[..., np.newaxis] / 255.0
        result["test_accuracy"] = round(float(model.evaluate(test, test_labels.astype(np.int64), batch_size=1000, verbose=0)[1]), 4)
    result["versions"] = supervise.versions("tensorflow-cpu", "keras" if args.keras == "3" else "tf_keras", "numpy")
    return result


if __name__ == "__main__":
    supervise.run("keras_mnist", __doc__, measure, arguments, needs=("tensorflow", "keras", "tf_keras"), limit=300)
