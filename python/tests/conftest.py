# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""Makes models, exports them, and trains them through their signatures."""

import json
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import keras
import numpy as np
import pytest
import tensorflow as tf

from tensorflowonspark_export import export_trainable


class Exported:
    """A trainable SavedModel, loaded."""

    def __init__(self, path):
        self.path = path
        self.loaded = tf.saved_model.load(str(path))
        self.signatures = self.loaded.signatures
        self.metadata = json.loads((path / "assets.extra" / "trainable.json").read_text())

    def call(self, signature, **arrays):
        function = self.signatures[signature]
        specs = function.structured_input_signature[1]
        tensors = {name: tf.constant(value, specs[name].dtype) for name, value in arrays.items()}
        return {name: value.numpy() for name, value in function(**tensors).items()}

    def gradients(self, row_weights=None, **arrays):
        return self.call("gradients", row_weights=self.weights(row_weights, arrays), **arrays)

    def evaluate(self, row_weights=None, **arrays):
        return self.call("evaluate", row_weights=self.weights(row_weights, arrays), **arrays)

    def step(self, row_weights=None, **arrays):
        """One step of training; its loss."""
        result = self.gradients(row_weights, **arrays)
        self.call("apply", **{name: value for name, value in result.items() if name.startswith("grad_")})
        return result["loss"]

    @staticmethod
    def weights(row_weights, arrays):
        return np.ones(len(next(iter(arrays.values()))), "float32") if row_weights is None else row_weights

    @property
    def trainable(self):
        return [variable.numpy() for variable in self.loaded.trainable]

    @property
    def state(self):
        return [variable.numpy() for variable in self.loaded.state]


@pytest.fixture(autouse=True)
def seeded():
    keras.backend.clear_session(free_memory=False)
    keras.utils.set_random_seed(7)


@pytest.fixture
def export(tmp_path):
    def run(model, **options):
        options.setdefault("overwrite", True)
        return Exported(export_trainable(model, tmp_path / "exported", **options))

    return run


@pytest.fixture
def random():
    return np.random.default_rng(11)


def dense_model(units=3, width=4, **options):
    layers = [
        keras.Input((width,)),
        keras.layers.Dense(5, activation="tanh", **options),
        keras.layers.Dense(units, **options),
    ]
    return keras.Sequential(layers, name="dense")
