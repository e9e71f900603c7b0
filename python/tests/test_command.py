# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""The command line."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from conftest import Exported, dense_model

from tensorflowonspark_export.__main__ import main

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "src"


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model.keras"
    dense_model().save(path)
    return path


def test_as_a_program(saved, tmp_path):
    arguments = [saved, tmp_path / "out", "--loss", "sparse_categorical_crossentropy", "--optimizer", "adam"]
    arguments += ["--learning-rate", "0.001", "--metric", "accuracy"]
    run = subprocess.run(
        [sys.executable, "-m", "tensorflowonspark_export", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == str(tmp_path / "out")
    exported = Exported(tmp_path / "out")
    assert exported.metadata["metrics"] == ["accuracy"]
    assert exported.loaded.optimizer_state[1].numpy() == np.float32(0.001)


def test_logits_and_names(saved, tmp_path, random):
    options = ["--loss", "sparse_categorical_crossentropy", "--from-logits", "--output", "probabilities=softmax"]
    options += ["--input", "features", "--label", "digit", "--optimizer", "sgd"]
    assert main([str(saved), str(tmp_path / "out"), *options]) == 0
    exported = Exported(tmp_path / "out")
    served = exported.call("serving_default", features=random.normal(size=[3, 4]))
    np.testing.assert_allclose(served["probabilities"].sum(-1), 1, rtol=1e-6)
    assert exported.metadata["labels"] == ["digit"]


def test_a_function_that_makes_the_model(tmp_path, monkeypatch):
    (tmp_path / "my_models.py").write_text(
        "import keras\ndef tiny():\n    return keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])\n"
    )
    monkeypatch.chdir(tmp_path)
    for out in ("one", "two"):
        assert main(["my_models:tiny", str(tmp_path / out), "--loss", "mse", "--seed", "3"]) == 0
    np.testing.assert_array_equal(Exported(tmp_path / "one").trainable[0], Exported(tmp_path / "two").trainable[0])


@pytest.mark.parametrize(
    ("model", "options", "code"),
    [
        ("missing.keras", ["--loss", "mse"], "009"),
        ("nowhere:model", ["--loss", "mse"], "009"),
        (None, ["--loss", "nope"], "001"),
        (None, ["--loss", "mse", "--from-logits"], "001"),
        (None, ["--loss", "mse", "--output", "a=nope"], "007"),
    ],
)
def test_errors(saved, tmp_path, capsys, model, options, code):
    assert main([model or str(saved), str(tmp_path / "out"), *options]) == 1
    assert f"[TFOS-EXPORT-{code}]" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_existing_path(saved, tmp_path, capsys):
    assert main([str(saved), str(saved), "--loss", "mse"]) == 1
    assert "[TFOS-EXPORT-005]" in capsys.readouterr().err
    assert main([str(saved), str(tmp_path / "out"), "--loss", "mse"]) == 0
    assert main([str(saved), str(tmp_path / "out"), "--loss", "mse", "--overwrite"]) == 0
