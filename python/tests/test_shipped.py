# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""The models that the project ships are those that make-models makes."""

import json
import pathlib
import subprocess
import sys

import keras
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def test_shipped_models_are_reproduced():
    shipped = ROOT / "examples" / "models" / "mnist-cnn" / "assets.extra" / "trainable.json"
    if not shipped.exists():
        pytest.skip("only in a checkout of the whole project")
    made_with = json.loads(shipped.read_text())["made_with"]
    if made_with["keras"] != keras.__version__:
        pytest.skip(f"made with Keras {made_with['keras']}, this is {keras.__version__}")
    run = subprocess.run(
        [sys.executable, str(ROOT / "python" / "make-models"), "--check"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr[-2000:]
