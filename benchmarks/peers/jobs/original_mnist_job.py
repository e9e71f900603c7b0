"""The Spark program of `original_mnist.py`; see there. Runs under spark-submit."""

import argparse
import glob
import json
import os
import time


def train(args, ctx):
    """What each node of the original's cluster runs."""
    import json
    import math
    import os
    import time

    import numpy as np
    import tensorflow as tf
    from tensorflowonspark import compat

    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    feed = ctx.get_data_feed(train_mode=False)

    def rows():
        while not feed.should_stop():
            for pixels, label in feed.next_batch(1):
                image = np.array(pixels).astype(np.float32) / args.scale
                yield image.reshape(28, 28, 1), np.array(label).astype(np.float32).reshape(1)

    dataset = tf.data.Dataset.from_generator(rows, output_signature=(tf.TensorSpec((28, 28, 1)), tf.TensorSpec((1,))))
    if args.sharding == "off":
        # Keras takes the batch of a dataset for the one of all nodes and splits it.
        options = tf.data.Options()
        compat.disable_auto_shard(options)
        dataset = dataset.batch(args.batch * ctx.num_workers).with_options(options)
    else:
        dataset = dataset.batch(args.batch)

    with strategy.scope():
        layers = tf.keras.layers
        model = tf.keras.Sequential(
            [
                layers.Conv2D(32, 3, activation="relu", input_shape=(28, 28, 1)),
                layers.MaxPooling2D(),
                layers.Flatten(),
                layers.Dense(64, activation="relu"),
                layers.Dense(10, activation="softmax"),
            ]
        )
        optimizers = tf.keras.optimizers
        optimizer = optimizers.SGD(0.001) if args.optimizer == "sgd" else optimizers.Adam(0.001)
        model.compile(optimizer, "sparse_categorical_crossentropy", metrics=["accuracy"])

    # The nodes train in step and may get unequal numbers of rows, so the example stops at 90 % of the even share.
    steps = math.ceil(args.rows / args.batch / ctx.num_workers * 0.9)
    checkpoint = tf.keras.callbacks.ModelCheckpoint(os.path.join(args.model, "weights-{epoch:04d}"), save_weights_only=True)
    begin = time.time()
    history = model.fit(dataset, epochs=1, steps_per_epoch=steps, callbacks=[checkpoint], verbose=2)
    seconds = time.time() - begin
    compat.export_saved_model(model, os.path.join(args.model, "export"), ctx.job_name == "chief")

    # Left before the feed is ended: the driver goes on as soon as it is.
    found = {"steps": steps, "fit_seconds": seconds, "accuracy": float(history.history["accuracy"][-1])}
    with open(os.path.join(args.model, "node-%d.json" % ctx.executor_id), "w") as f:
        json.dump(found, f)
    feed.terminate()


def text_rows(sc, folder):
    def parse(line):
        numbers = [int(v) for v in line.split(",")]
        return numbers[1:], numbers[0]

    return sc.textFile("file://" + folder).map(parse)


def cached_rows(args):
    from pyspark.sql import SparkSession

    images_file, labels_file = args.images, args.labels

    def load(batches):
        import numpy as np
        import pyarrow as pa

        images = np.memmap(images_file, np.uint8, "r", offset=16).reshape(-1, 784)
        labels = np.memmap(labels_file, np.uint8, "r", offset=8)
        for batch in batches:
            ids = batch.column(0).to_numpy()
            values = images[ids].astype(np.float32).reshape(-1) / np.float32(255)
            offsets = np.arange(len(ids) + 1, dtype=np.int32) * 784
            yield pa.record_batch([pa.ListArray.from_arrays(offsets, values), pa.array(labels[ids].astype(np.float32))], ["image", "label"])

    spark = SparkSession.builder.getOrCreate()
    frame = spark.range(0, args.rows, 1, args.partitions).mapInArrow(load, "image array<float>, label float").cache()
    assert frame.count() == args.rows
    return frame.rdd.map(lambda row: (row[0], row[1]))


def main():
    from pyspark import SparkConf, SparkContext
    from tensorflowonspark import TFCluster

    parser = argparse.ArgumentParser()
    parser.add_argument("--result", required=True)
    parser.add_argument("--input", required=True)
    parser.add_argument("--csv")
    parser.add_argument("--images")
    parser.add_argument("--labels")
    parser.add_argument("--model", required=True)
    parser.add_argument("--optimizer", required=True)
    parser.add_argument("--sharding", required=True)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--partitions", type=int, required=True)
    args = parser.parse_args()
    os.makedirs(args.model, exist_ok=True)
    args.scale = 255.0 if args.input == "csv" else 1.0

    sc = SparkContext(conf=SparkConf().setAppName("original_mnist"))
    rows = text_rows(sc, args.csv) if args.input == "csv" else cached_rows(args)

    times = [time.time()]
    cluster = TFCluster.run(sc, train, args, 2, num_ps=0, input_mode=TFCluster.InputMode.SPARK, master_node="chief", reservation_timeout=120)
    times.append(time.time())
    cluster.train(rows, 1, feed_timeout=300)
    times.append(time.time())
    cluster.shutdown(timeout=-1)
    times.append(time.time())

    nodes = []
    for file in sorted(glob.glob(os.path.join(args.model, "node-*.json"))):
        with open(file) as f:
            nodes.append(json.load(f))
    if len(nodes) != 2:
        raise SystemExit("%d of 2 nodes finished training" % len(nodes))
    start, training, shutdown = (b - a for a, b in zip(times, times[1:]))
    java = sc._jvm.java.lang.System.getProperty("java.version")
    sc.stop()
    with open(args.result, "w") as f:
        json.dump({"start_seconds": start, "train_seconds": training, "shutdown_seconds": shutdown, "nodes": nodes, "java": java}, f)


if __name__ == "__main__":
    main()
