# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""Each error has a code, says what was found, and what to do; nothing is left on disk."""

import keras
import pytest
import tensorflow as tf
from conftest import dense_model

from tensorflowonspark_export import ExportError, export_trainable

layers = keras.layers


def frozen():
    model = dense_model()
    model.trainable = False
    return model


def two_outputs():
    x = keras.Input((4,))
    return keras.Model(x, [layers.Dense(1, name="one")(x), layers.Dense(1, name="two")(x)])


class Detached(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(1.0)

    def __call__(self, x):
        return x * tf.stop_gradient(self.weight)


_ELSEWHERE = []


class Untracked(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(1.0)
        _ELSEWHERE.append(tf.Variable(2.0))

    def __call__(self, x):
        return x * self.weight * _ELSEWHERE[-1]


X = {"x": tf.TensorSpec([None, 1])}


@pytest.mark.parametrize(
    ("make", "options", "code", "words"),
    [
        (dense_model, {"loss": "sparse_crossentropy"}, 1, ["'sparse_crossentropy'", "keras.losses.get"]),
        (dense_model, {"loss": "mean_square_error"}, 1, ["did you mean 'mean_squared_error'"]),
        (dense_model, {"loss": 3}, 1, ["3"]),
        (dense_model, {"loss": None}, 1, ["No loss"]),
        (dense_model, {"loss": keras.losses.MeanSquaredError(reduction="sum")}, 1, ["'sum'", "weighted mean"]),
        (two_outputs, {"loss": {"three": "mse"}}, 1, ["three", "one", "two"]),
        (two_outputs, {"loss": ["mse"]}, 1, ["1 items", "2 outputs"]),
        (dense_model, {"loss": "mse", "optimizer": "adamm"}, 2, ["'adamm'", "did you mean 'adam'"]),
        (dense_model, {"loss": "mse", "optimizer": 7}, 2, ["7"]),
        (dense_model, {"loss": "mse", "optimizer": None}, 2, ["not compiled"]),
        (dense_model, {"loss": "mse", "metrics": ["acuracy"]}, 3, ["'acuracy'"]),
        (dense_model, {"loss": "mse", "metrics": [keras.metrics.AUC()]}, 3, ["AUC", "not a mean over rows"]),
        (dense_model, {"loss": "mse", "metrics": ["mae", "mae"]}, 3, ["'mae'", "twice"]),
        (frozen, {"loss": "mse"}, 4, ["dense", "trainable"]),
        (lambda: keras.Sequential([layers.Dense(1)]), {"loss": "mse"}, 6, ["not built", "keras.Input"]),
        (Detached, {"loss": "mse"}, 6, ["Detached", "inputs="]),
        (dense_model, {"loss": "mse", "inputs": ["a", "b"]}, 7, ["2 inputs", "the model has 1"]),
        (dense_model, {"loss": "mse", "inputs": ["a b"]}, 7, ["'a b'"]),
        (dense_model, {"loss": "mse", "labels": ["x"]}, 7, ["x", "twice"]),
        (dense_model, {"loss": "mse", "inputs": ["row_weights"]}, 7, ["row_weights"]),
        (dense_model, {"loss": "mse", "outputs": ["a", "b"]}, 7, ["2 outputs", "1"]),
        (dense_model, {"loss": lambda y, p: tf.reduce_mean(tf.square(y - p))}, 8, ["<lambda>", "each row"]),
        (dict, {"loss": "mse"}, 9, ["dict"]),
        (Untracked, {"loss": "mse", "inputs": X}, 10, ["attribute"]),
        (Detached, {"loss": "mse", "inputs": X}, 11, ["does not depend"]),
    ],
)
def test_errors(tmp_path, make, options, code, words):
    with pytest.raises(ExportError) as error:
        export_trainable(make() if make is not dict else make, tmp_path / "out", **options)
    assert str(error.value).startswith(f"[TFOS-EXPORT-{code:03d}] ")
    for word in words:
        assert word in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_optimizer_of_another_model(tmp_path):
    other = dense_model()
    other.compile(optimizer="adam", loss="mse")
    other.optimizer.build(other.trainable_variables)
    with pytest.raises(ExportError, match=r"TFOS-EXPORT-002.*not the 4 of this"):
        export_trainable(dense_model(), tmp_path / "out", loss="mse", optimizer=other.optimizer)


def test_existing_path(tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    (target / "mine").write_text("kept")
    with pytest.raises(ExportError, match=r"TFOS-EXPORT-005.*overwrite"):
        export_trainable(dense_model(), target, loss="mse")
    with pytest.raises(ExportError):
        export_trainable(dense_model(), target, loss="nope", overwrite=True)
    assert (target / "mine").read_text() == "kept"
    export_trainable(dense_model(), target, loss="mse", overwrite=True)
    assert not (target / "mine").exists() and (target / "saved_model.pb").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_nothing_is_left_when_saving_fails(tmp_path, monkeypatch):
    def fail(*arguments, **options):
        raise OSError("disk full")

    monkeypatch.setattr(tf.saved_model, "save", fail)
    with pytest.raises(OSError, match="disk full"):
        export_trainable(dense_model(), tmp_path / "out", loss="mse")
    assert list(tmp_path.iterdir()) == []
