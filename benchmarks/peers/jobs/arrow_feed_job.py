"""The Spark program of `arrow_feed.py`; see there. Runs under spark-submit."""

import argparse
import json
import time


def maker(width):
    """Rows of whole numbers below 256, so that sums are exact in doubles."""

    def make(batches):
        import numpy as np
        import pyarrow as pa

        for batch in batches:
            ids = batch.column(0).to_numpy()
            values = ((ids[:, None] * 31 + np.arange(width)) % 256).astype(np.float32).reshape(-1)
            offsets = np.arange(len(ids) + 1, dtype=np.int32) * width
            yield pa.record_batch([pa.ListArray.from_arrays(offsets, values), pa.array((ids % 10).astype(np.float32))], ["features", "label"])

    return make


def reader(width, size, copy, whole):
    def read(batches):
        import numpy as np
        import pyarrow as pa

        count, labels, total = 0, 0.0, 0.0
        into = np.empty((size, width), np.float32)
        for batch in batches:
            lists = batch.column(0)
            x = lists.flatten().to_numpy(zero_copy_only=True).reshape(-1, width)
            y = batch.column(1).to_numpy(zero_copy_only=True)
            for at in range(0, len(y), size):
                part = x[at : at + size]
                if copy:
                    into[: len(part)] = part
                    part = into[: len(part)]
                count += len(part)
                labels += float(y[at : at + size].sum(dtype=np.float64))
                if whole:
                    total += float(part.sum(dtype=np.float64))
        yield pa.record_batch([pa.array([count], pa.int64()), pa.array([labels]), pa.array([total])], ["count", "labels", "total"])

    return read


def drop(batches):
    import pyarrow as pa

    count = 0
    for batch in batches:
        count += batch.num_rows
    yield pa.record_batch([pa.array([count], pa.int64())], ["count"])


def main():
    import numpy as np
    from pyspark.sql import SparkSession

    parser = argparse.ArgumentParser()
    parser.add_argument("--result", required=True)
    parser.add_argument("--copy", action="store_true")
    for name in ("rows", "width", "partitions", "batch", "rounds"):
        parser.add_argument("--" + name, type=int, required=True)
    args = parser.parse_args()

    spark = SparkSession.builder.appName("arrow_feed").getOrCreate()
    frame = spark.range(0, args.rows, 1, args.partitions).mapInArrow(maker(args.width), "features array<float>, label float").cache()
    frame.count()
    on_disk = sum(info.diskSize() for info in spark.sparkContext._jsc.sc().getRDDStorageInfo())

    ids = np.arange(args.rows, dtype=np.int64)
    labels = float((ids % 10).sum())
    kinds = np.bincount(ids * 31 % 256, minlength=256)
    total = float(sum(int(n) * int(((k + np.arange(args.width)) % 256).sum()) for k, n in enumerate(kinds)))

    error, seconds, scans = None, [], []
    for number in range(args.rounds + 1):
        begin = time.perf_counter()
        parts = frame.mapInArrow(reader(args.width, args.batch, args.copy, number == 0), "count long, labels double, total double").collect()
        took = time.perf_counter() - begin
        got = [sum(p[i] for p in parts) for i in range(3)]
        wanted = [args.rows, labels, total if number == 0 else 0.0]
        if got != wanted:
            error = "count, labels and total are %s and should be %s" % (got, wanted)
            break
        begin = time.perf_counter()
        frame.mapInArrow(drop, "count long").collect()
        if number:
            seconds.append(took)
            scans.append(time.perf_counter() - begin)
    java = spark._jvm.java.lang.System.getProperty("java.version")
    spark.stop()
    with open(args.result, "w") as f:
        json.dump({"seconds": seconds, "scan_seconds": scans, "error": error, "on_disk": on_disk, "java": java}, f)


if __name__ == "__main__":
    main()
