# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""TFRecord files between TensorFlow and `bin/tfos records`: what one writes the other reads equal."""

import base64
import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TFOS = ROOT / "bin" / "tfos"
COMPRESSIONS = {"none": "", "gzip": "GZIP", "zlib": "ZLIB"}


def tfos(*arguments, code=0, **environment):
    run = subprocess.run(
        [str(TFOS), "records", *map(str, arguments)],
        env={**os.environ, "LC_ALL": "C", **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert run.returncode == code, run.stdout[-2000:] + run.stderr[-2000:]
    return run


def parts(folder):
    found = sorted(str(file) for file in folder.iterdir() if file.name.startswith("part-"))
    assert found
    return found


def parsed(folder, compression, spec, parse=tf.io.parse_example):
    """All records of a folder, as TensorFlow has them."""
    serialized = list(tf.data.TFRecordDataset(parts(folder), COMPRESSIONS[compression]).as_numpy_iterator())
    return parse(tf.constant(serialized), spec)


def written(path, *records, compression=""):
    with tf.io.TFRecordWriter(str(path), compression) as writer:
        for record in records:
            writer.write(record if isinstance(record, bytes) else record.SerializeToString())
    return path


def example(number):
    feature = {
        "id": tf.train.Feature(int64_list=tf.train.Int64List(value=[number])),
        "x": tf.train.Feature(float_list=tf.train.FloatList(value=[number + 0.5] * number)),
        "name": tf.train.Feature(bytes_list=tf.train.BytesList(value=[f"näme {number}".encode()])),
        "raw": tf.train.Feature(bytes_list=tf.train.BytesList(value=[bytes([255, number])])),
    }
    return tf.train.Example(features=tf.train.Features(feature=feature))


def test_shipped_files_are_reproduced():
    command = [sys.executable, str(ROOT / "python" / "make-records"), "--check"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr[-2000:]


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_tensorflow_reads_our_examples(tmp_path, compression):
    rows = [
        {"id": 1, "flag": True, "x": [0.5, -1.25], "w": 1e-3, "name": "Zoë 東京", "raw": b"\xff\0", "tags": ["a", ""]},
        {"id": -(2**63), "flag": False, "x": [], "w": -0.0, "name": "", "raw": b"", "tags": []},
        {"id": 2**63 - 1, "x": [3.4028234663852886e38], "tags": ["b"]},  # what is not there is absent
    ]
    schema = "id BIGINT, flag BOOLEAN, x ARRAY<FLOAT>, w DOUBLE, name STRING, raw BINARY, tags ARRAY<STRING>"
    lines = [
        {key: base64.b64encode(value).decode() if isinstance(value, bytes) else value for key, value in row.items()}
        for row in rows
    ]
    (tmp_path / "rows.json").write_text("\n".join(map(json.dumps, lines)) + "\n")
    options = ["--schema", schema, "--compression", compression, "--partitions", 1]
    tfos("convert", tmp_path / "rows.json", tmp_path / "out.tfrecord", *options)

    spec = {
        "id": tf.io.FixedLenFeature([], tf.int64),
        "flag": tf.io.FixedLenFeature([], tf.int64, -1),
        "x": tf.io.RaggedFeature(tf.float32),
        "w": tf.io.FixedLenFeature([], tf.float32, 9),
        "name": tf.io.FixedLenFeature([], tf.string, "absent"),
        "raw": tf.io.FixedLenFeature([], tf.string, "absent"),
        "tags": tf.io.RaggedFeature(tf.string),
    }
    read = parsed(tmp_path / "out.tfrecord", compression, spec)
    order = np.argsort(read["id"].numpy())  # rows are spread anew for --partitions
    wanted = [rows[1], rows[0], rows[2]]
    assert read["id"].numpy()[order].tolist() == [row["id"] for row in wanted]
    assert read["flag"].numpy()[order].tolist() == [int(row.get("flag", -1)) for row in wanted]
    assert read["w"].numpy()[order].tolist() == [np.float32(row.get("w", 9)) for row in wanted]
    assert [read["x"].to_list()[i] for i in order] == [[np.float32(x) for x in row["x"]] for row in wanted]
    assert read["name"].numpy()[order].tolist() == [row.get("name", "absent").encode() for row in wanted]
    assert read["raw"].numpy()[order].tolist() == [row.get("raw", b"absent") for row in wanted]
    assert [read["tags"].to_list()[i] for i in order] == [[tag.encode() for tag in row["tags"]] for row in wanted]


def test_tensorflow_reads_our_sequences(tmp_path):
    rows = [
        {"id": 1, "frames": [[0.5, 1.5], [], [2.5]], "words": [["a"], ["b", "ç"]]},
        {"id": 2, "frames": [], "words": [[]]},
    ]
    (tmp_path / "rows.json").write_text("\n".join(map(json.dumps, rows)) + "\n")
    schema = "id BIGINT, frames ARRAY<ARRAY<FLOAT>>, words ARRAY<ARRAY<STRING>>"
    options = ["--schema", schema, "--record-type", "SequenceExample"]
    tfos("convert", tmp_path / "rows.json", tmp_path / "out.tfrecord", *options)
    spec = {"frames": tf.io.RaggedFeature(tf.float32), "words": tf.io.RaggedFeature(tf.string)}

    def parse(serialized, _):
        return tf.io.parse_sequence_example(serialized, {"id": tf.io.FixedLenFeature([], tf.int64)}, spec)

    context, lists, _ = parsed(tmp_path / "out.tfrecord", "none", None, parse)
    assert context["id"].numpy().tolist() == [1, 2]
    assert lists["frames"].to_list() == [row["frames"] for row in rows]
    assert lists["words"].to_list() == [[[w.encode() for w in step] for step in row["words"]] for row in rows]


def test_tensorflow_reads_what_was_csv(tmp_path):
    (tmp_path / "rows.csv").write_text('id,name,weight\n1,"a, ""b""",0.5\n2,,\n', encoding="utf-8")
    options = ["--to", "tfrecord", "--schema", "id INT, name STRING, weight FLOAT"]
    tfos("convert", tmp_path / "rows.csv", tmp_path / "out", *options)
    spec = {
        "id": tf.io.FixedLenFeature([], tf.int64),
        "name": tf.io.FixedLenFeature([], tf.string, "absent"),
        "weight": tf.io.FixedLenFeature([], tf.float32, -1),
    }
    read = parsed(tmp_path / "out", "none", spec)
    assert read["id"].numpy().tolist() == [1, 2]
    assert read["name"].numpy().tolist() == [b'a, "b"', b"absent"]
    assert read["weight"].numpy().tolist() == [0.5, -1]


def test_our_json_is_what_tensorflow_wrote(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    written(data / "a.tfrecord", *map(example, range(20)))
    written(data / "b.tfrecord.gz", *map(example, range(20, 40)), compression="GZIP")
    written(data / "c.tfrecord.zlib", *map(example, range(40, 60)), compression="ZLIB")
    schema = "id BIGINT, name STRING, raw BINARY, x ARRAY<FLOAT>"
    tfos("convert", data, tmp_path / "out.json", "--schema", schema)
    text = "".join(pathlib.Path(part).read_text("utf-8") for part in parts(tmp_path / "out.json"))
    rows = sorted(map(json.loads, text.splitlines()), key=lambda row: row["id"])
    assert rows == [
        {"id": i, "name": f"näme {i}", "raw": base64.b64encode(bytes([255, i])).decode(), "x": [i + 0.5] * i}
        for i in range(60)
    ]


def test_the_commands_as_a_program(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    records = [example(i).SerializeToString() for i in range(30)]
    path = written(data / "a.tfrecord", *records)
    written(data / "b.tfrecord.gz", *records, compression="GZIP")

    assert json.loads(tfos("count", "--json", data).stdout)["records"] == 60
    assert json.loads(tfos("schema", "--json", data).stdout)["ddl"] == "id BIGINT,name STRING,raw STRING,x ARRAY<FLOAT>"
    head = [json.loads(line)["features"] for line in tfos("head", "-n", 3, "--json", data).stdout.splitlines()]
    # Whatever the locale is, texts are UTF-8.
    assert [features["name"]["bytes"] for features in head] == [["näme 0"], ["näme 1"], ["näme 2"]]
    assert "näme 2" in tfos("head", data).stdout
    run = tfos("verify", "--record-type", "Example", data)
    assert run.stdout.endswith("no damage\n")
    assert run.stderr == ""

    offset = sum(len(record) + 16 for record in records[:11])
    content = bytearray(path.read_bytes())
    content[offset + 20] ^= 4
    path.write_bytes(content)
    run = tfos("verify", "--json", data, code=1)
    finding, summary = map(json.loads, run.stdout.splitlines())
    assert (finding["offset"], finding["length"]) == (offset, len(records[11]) + 16)
    assert finding["file"].endswith("/a.tfrecord")
    assert summary["damaged"] == 1 and summary["records"] == 59

    for code, arguments, text in [(1, ["count", tmp_path / "no"], "[TFOS-FILE-001]"), (2, ["count"], "--help")]:
        run = tfos(*arguments, code=code)
        assert run.stdout == "" and text in run.stderr and len(run.stderr.splitlines()) == 1


def test_the_settings_of_hadoop_are_used(tmp_path):
    (tmp_path / "data").mkdir()
    written(tmp_path / "data" / "a.tfrecord", example(1))
    mount = "fs.viewfs.mounttable.cluster.link./data"
    settings = {"fs.defaultFS": "viewfs://cluster/", mount: f"file://{tmp_path}/data"}
    text = "".join(f"<property><name>{k}</name><value>{v}</value></property>" for k, v in settings.items())
    (tmp_path / "core-site.xml").write_text(f"<configuration>{text}</configuration>")
    counted = json.loads(tfos("count", "--json", "/data", HADOOP_CONF_DIR=str(tmp_path)).stdout)
    assert counted["records"] == 1
    assert counted["files"][0]["file"] == "viewfs://cluster/data/a.tfrecord"
