"""One process of `mwms_scaling.py`; see there. In step if TF_CONFIG names a cluster, otherwise on its own."""

import argparse
import json
import os
import time

HIDDEN = {"mlp-0.1m": (128,), "mlp-1m": (1024, 192), "mlp-25m": (4096, 4096, 1024)}


def build(keras, name):
    layers = keras.layers
    if name == "cnn":
        body = [layers.Conv2D(32, 3, activation="relu"), layers.MaxPooling2D(), layers.Flatten(), layers.Dense(64, activation="relu")]
        shape = (28, 28, 1)
    else:
        body = [layers.Dense(n, activation="relu") for n in HIDDEN[name]]
        shape = (784,)
    return keras.Sequential([layers.InputLayer(shape), *body, layers.Dense(10)]), shape


def meet(folder, rank, ranks):
    """Processes on their own begin together all the same."""
    open(os.path.join(folder, "ready-%d-of-%d" % (rank, ranks)), "w").close()
    others = [os.path.join(folder, "ready-%d-of-%d" % (r, ranks)) for r in range(ranks)]
    until = time.monotonic() + 120
    while not all(map(os.path.exists, others)):
        if time.monotonic() > until:
            raise SystemExit("the other process did not come")
        time.sleep(0.001)


def main():
    import numpy as np
    import tensorflow as tf
    import tf_keras as keras

    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--optimizer", required=True)
    parser.add_argument("--meet", metavar="FOLDER")
    for name in ("rank", "ranks", "batch", "steps", "warmup"):
        parser.add_argument("--" + name, type=int, required=True)
    args = parser.parse_args()

    strategy = tf.distribute.get_strategy() if args.meet else tf.distribute.MultiWorkerMirroredStrategy()
    tf.random.set_seed(1)
    with strategy.scope():
        model, shape = build(keras, args.model)
        optimizer = keras.optimizers.SGD(0.001) if args.optimizer == "sgd" else keras.optimizers.Adam(0.001)
        optimizer.build(model.trainable_variables)
    weight = 1.0 / (args.batch * strategy.num_replicas_in_sync)

    random = np.random.default_rng(args.rank)
    batches = [
        (tf.constant(random.random((args.batch, *shape), np.float32)), tf.constant(random.integers(0, 10, args.batch)))
        for _ in range(8)
    ]

    def compute(x, y):
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(y, model(x, training=True))
            loss = tf.reduce_sum(losses) * weight
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    @tf.function
    def step(x, y):
        return strategy.run(compute, (x, y))

    for i in range(args.warmup):
        step(*batches[i % 8])
    if args.meet:
        meet(args.meet, args.rank, args.ranks)
    samples = []
    begin = last = time.perf_counter()
    for i in range(args.steps):
        step(*batches[i % 8])
        now = time.perf_counter()
        samples.append((now - last) * 1e3)
        last = now
    total = float(sum(np.asarray(w, np.float64).sum() for w in model.get_weights()))
    with open(args.out, "w") as f:
        json.dump({"ms": samples, "seconds": last - begin, "sum": total, "parameters": int(model.count_params())}, f)


if __name__ == "__main__":
    main()
