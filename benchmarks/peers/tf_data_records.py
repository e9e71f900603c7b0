"""TFRecord files by `tf.data`: TFRecordDataset, batches of 1024 records, `tf.io.parse_example` into tensors.

Stays alive and takes requests, one a line on stdin, so that its rounds can be interleaved with those of others;
answers each with one line of JSON on stdout. Columns are written as `name:kind:width` with commas between, kinds
`float`, `long` and `bytes`; a value of `bytes` is one of that many bytes.

  check FILE COLUMNS          number of records and checksum of all columns
  read FILE COLUMNS PASSES    seconds from the file to tensors

One thread within and between operations and in the pool of `tf.data`; whoever starts it chooses the core.
"""

import sys

sys.dont_write_bytecode = True

import json
import os
import time
import zlib

from peerlib import supervise

BATCH = 1024


def dataset(tf, file, columns):
    features = {}
    for name, kind, width in columns:
        dtype = {"float": tf.float32, "long": tf.int64, "bytes": tf.string}[kind]
        features[name] = tf.io.FixedLenFeature([] if kind == "bytes" or width == 1 else [width], dtype)
    options = tf.data.Options()
    options.threading.private_threadpool_size = 1
    options.threading.max_intra_op_parallelism = 1
    records = tf.data.TFRecordDataset(file, buffer_size=1 << 20).batch(BATCH)
    return records.map(lambda batch: tf.io.parse_example(batch, features)).with_options(options)


def check(tf, file, columns, _):
    import numpy as np

    records, crc = 0, 0
    for batch in dataset(tf, file, columns):
        for name, kind, _ in columns:
            values = batch[name].numpy()
            if kind == "bytes":
                crc = zlib.crc32(b"".join(values), crc)
                crc = zlib.crc32(np.array([len(v) for v in values], "<i4").tobytes(), crc)
            else:
                crc = zlib.crc32(values.astype("<f4" if kind == "float" else "<i8").tobytes(), crc)
        records += len(values)
    return {"records": records, "hash": crc}


def read(tf, file, columns, passes):
    begin, cpu = time.perf_counter(), time.process_time()
    records = 0
    for _ in range(passes):
        for batch in dataset(tf, file, columns):
            records += batch[columns[0][0]].shape[0]
    return {"records": records, "seconds": time.perf_counter() - begin, "cpu": time.process_time() - cpu}


def main():
    supervise.die_with_parent()
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="2", CUDA_VISIBLE_DEVICES="")
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    print(json.dumps({"versions": supervise.versions("tensorflow-cpu", "numpy")}), flush=True)
    for line in sys.stdin:
        what, file, columns, *passes = line.split()
        parsed = [(name, kind, int(width)) for name, kind, width in (c.split(":") for c in columns.split(","))]
        print(json.dumps({"check": check, "read": read}[what](tf, file, parsed, int(passes[0]) if passes else 1)), flush=True)


if __name__ == "__main__":
    if sys.argv[1:]:
        print(__doc__)
    else:
        main()
