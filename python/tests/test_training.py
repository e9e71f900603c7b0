# Licensed under the Apache License, Version 2.0. See the LICENSE file of the project.

"""Training through the signatures is training with Keras."""

import keras
import numpy as np
import pytest
import tensorflow as tf
from conftest import dense_model

LOGITS = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
layers = keras.layers


def assert_trains_alike(export, make, loss, optimizer, batches, tolerance=1e-5, **options):
    """Each of the batches (inputs, labels by name) moves the exported model as train_on_batch moves its twin.

    The twin's gradients are made dense too: Keras squares the parts of a sparse gradient that meet in one row of an
    embedding one by one, and so Adam and RMSprop there are not quite what they are for a dense gradient.
    """
    keras.utils.set_random_seed(5)
    twin = make()
    keras.utils.set_random_seed(5)
    exported = export(make(), loss=loss, optimizer=optimizer(), **options)
    twin.compile(optimizer=optimizer(), loss=loss, jit_compile=False)
    sparse_apply = twin.optimizer.apply
    twin.optimizer.apply = lambda grads, variables: sparse_apply(
        [tf.convert_to_tensor(grad) for grad in grads], variables
    )
    losses = []
    for inputs, labels in batches:
        values = list(inputs.values())
        expected = twin.train_on_batch(values[0] if len(values) == 1 else values, *labels.values())
        twin.reset_metrics()
        losses.append(exported.step(**inputs, **labels))
        np.testing.assert_allclose(losses[-1], expected, rtol=tolerance * 10, atol=tolerance)
    for mine, theirs in zip(exported.trainable, twin.trainable_variables):
        np.testing.assert_allclose(mine, theirs.numpy(), rtol=tolerance, atol=tolerance)
    for mine, theirs in zip(exported.state, twin.non_trainable_variables):
        np.testing.assert_allclose(mine, theirs.numpy(), rtol=tolerance, atol=tolerance)
    return exported


def batches_of(random, shape, classes, steps=20):
    """Batches of 16 rows; every third is ragged: 5 rows, and 1."""
    sizes = [16, 5, 16, 1] * (steps // 4)
    return [
        ({"x": random.normal(size=[n, *shape]).astype("float32")}, {"y": random.integers(0, classes, [n])})
        for n in sizes
    ]


@pytest.mark.parametrize(
    "optimizer",
    [
        lambda: keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True),
        lambda: keras.optimizers.Adam(0.01),
        lambda: keras.optimizers.AdamW(0.01, weight_decay=0.1, clipnorm=1.0),
        lambda: keras.optimizers.RMSprop(keras.optimizers.schedules.ExponentialDecay(0.01, 5, 0.5)),
    ],
    ids=["sgd-momentum", "adam", "adamw-clipnorm", "rmsprop-decay"],
)
def test_optimizers(export, random, optimizer):
    assert_trains_alike(export, dense_model, LOGITS, optimizer, batches_of(random, [4], 3))


def test_batch_normalisation_and_dropout(export, random):
    def make():
        return keras.Sequential(
            [
                keras.Input((4,)),
                layers.Dense(6),
                layers.BatchNormalization(),
                layers.Dropout(0.3, seed=3),
                layers.Dense(3),
            ]
        )

    exported = assert_trains_alike(
        export, make, LOGITS, lambda: keras.optimizers.Adam(0.01), batches_of(random, [4], 3)
    )
    assert len(exported.metadata["state"]) == 3
    x = random.normal(size=[8, 4])
    one, two = (exported.gradients(x=x, y=np.zeros(8))["loss"] for _ in range(2))
    assert one != two  # another dropout mask each time


def test_regularisation(export, random):
    def make():
        return dense_model(kernel_regularizer=keras.regularizers.L2(0.1))

    assert_trains_alike(export, make, LOGITS, lambda: keras.optimizers.SGD(0.1), batches_of(random, [4], 3))


def test_several_inputs(export, random):
    def make():
        a, b = keras.Input((2,), name="a"), keras.Input((), dtype="int32", name="b")
        return keras.Model([a, b], layers.Dense(3)(layers.Concatenate()([a, layers.Embedding(5, 3)(b)])))

    batches = [
        (
            {"a": random.normal(size=[n, 2]).astype("float32"), "b": random.integers(0, 5, [n]).astype("int32")},
            {"y": random.integers(0, 3, [n])},
        )
        for n in [8, 3, 8, 1] * 5
    ]
    exported = assert_trains_alike(export, make, LOGITS, lambda: keras.optimizers.SGD(0.1, momentum=0.9), batches)
    assert exported.metadata["inputs"] == ["a", "b"]
    assert exported.signatures["gradients"].structured_input_signature[1]["b"].dtype == tf.int32


def test_embedding_and_lstm(export, random):
    def make():
        return keras.Sequential(
            [
                keras.Input((6,), dtype="int32"),
                layers.Embedding(20, 4, mask_zero=True),
                layers.LSTM(5, use_cudnn=False),
                layers.Dense(1, activation="sigmoid"),
            ]
        )

    batches = [
        ({"x": random.integers(0, 20, [n, 6]).astype("int32")}, {"y": random.integers(0, 2, [n, 1]).astype("float32")})
        for n in [8, 3, 8, 1] * 5
    ]
    assert_trains_alike(export, make, "binary_crossentropy", lambda: keras.optimizers.Adam(0.01), batches)


def test_float64(export, random):
    def make():
        return keras.Sequential(
            [
                keras.Input((3,), dtype="float64"),
                layers.Dense(4, "tanh", dtype="float64"),
                layers.Dense(1, dtype="float64"),
            ]
        )

    exported = export(make(), loss="mse", optimizer="sgd", learning_rate=0.1, metrics=["mae"])
    x, y = random.normal(size=[16, 3]), random.normal(size=[16, 1])
    result = exported.gradients(x=x, y=y)
    assert {result[f"grad_{index}"].dtype for index in range(4)} == {np.dtype("float64")}
    assert result["loss"].dtype == np.float64
    assert {variable["dtype"] for variable in exported.metadata["variables"]} == {"float64"}
    step, weights = 1e-6, exported.loaded.trainable[0]
    weights.assign_add(step * tf.one_hot([0, 9, 9], 4, dtype=tf.float64))
    up = exported.evaluate(x=x, y=y)["loss"]
    np.testing.assert_allclose((up - result["loss"]) / step, result["grad_0"][0, 0], rtol=1e-4)  # beyond float32


@pytest.mark.parametrize("policy", ["mixed_bfloat16", "mixed_float16"])
def test_mixed_precision(export, random, policy):
    def make():
        return keras.Sequential(
            [keras.Input((4,)), layers.Dense(8, "relu", dtype=policy), layers.Dense(3, dtype=policy)], name="mixed"
        )

    exported = export(make(), loss=LOGITS, learning_rate=0.02, metrics=["accuracy"])
    x = random.normal(size=[32, 4])
    y = (x[:, 0] > 0).astype("int64")
    result = exported.gradients(x=x, y=y)
    assert {value.dtype for value in result.values()} == {np.dtype("float32")}
    assert exported.signatures["serving_default"].structured_outputs["output"].dtype == getattr(
        tf, policy.split("_")[1]
    )
    losses = [exported.step(x=x, y=y) for _ in range(40)]
    assert losses[-1] < 0.5 * losses[0]


def test_loss_scaling_is_undone_by_apply(export, random):
    optimizer = keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.1), initial_scale=1024.0)
    exported = export(dense_model(), loss=LOGITS, optimizer=optimizer)
    plain = dense_model()
    plain.set_weights(exported.trainable)
    plain.compile(optimizer=keras.optimizers.SGD(0.1), loss=LOGITS, jit_compile=False)
    x, y = random.normal(size=[8, 4]).astype("float32"), random.integers(0, 3, [8])
    np.testing.assert_allclose(exported.step(x=x, y=y), plain.train_on_batch(x, y), rtol=1e-5)
    for mine, theirs in zip(exported.trainable, plain.get_weights()):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-6)


def test_training_goes_on_with_a_used_optimizer(export, random):
    model = dense_model()
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss=LOGITS, jit_compile=False)
    x, y = random.normal(size=[8, 4]).astype("float32"), random.integers(0, 3, [8])
    model.train_on_batch(x, y)
    exported = export(model, loss=LOGITS, optimizer=None)
    model.train_on_batch(x, y)
    exported.step(x=x, y=y)
    for mine, theirs in zip(exported.trainable, model.get_weights()):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


class Linear(tf.Module):
    """Two variables without names of their own, and a counter."""

    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable([[0.5, -0.5], [0.25, 0.0], [1.0, 2.0]])
        self.shift = tf.Variable([[0.0, 0.5], [0.5, 0.0], [0.1, 0.2]])
        self.calls = tf.Variable(0, trainable=False)

    def __call__(self, x, group, training=False):
        if training:
            self.calls.assign_add(1)
        return tf.matmul(x, self.kernel) + tf.nn.embedding_lookup(self.shift, group)


def squared(labels, outputs):
    return tf.reduce_sum(tf.square(labels - outputs), -1)


def test_tf_module_with_a_loss(export, random):
    inputs = {"x": tf.TensorSpec([None, 3]), "group": tf.TensorSpec([None], tf.int32)}
    exported = export(Linear(), loss=squared, inputs=inputs, optimizer="adam", learning_rate=0.05)
    assert exported.metadata["loss"] == "squared"
    assert len(exported.metadata["state"]) == 1
    twin, adam = Linear(), keras.optimizers.Adam(0.05)
    for n in [6, 1, 4] * 7:
        x, group = random.normal(size=[n, 3]).astype("float32"), random.integers(0, 3, [n]).astype("int32")
        y = random.normal(size=[n, 2]).astype("float32")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(squared(y, twin(x, group, True)))
        grads = [tf.convert_to_tensor(grad) for grad in tape.gradient(loss, twin.trainable_variables)]
        adam.apply(grads, twin.trainable_variables)
        np.testing.assert_allclose(exported.step(x=x, group=group, y=y), loss, rtol=1e-5)
    assert exported.state[0] == 21
    for mine, theirs in zip(exported.trainable, twin.trainable_variables):
        np.testing.assert_allclose(mine, theirs.numpy(), rtol=1e-5, atol=1e-6)


def test_strings(export):
    colour = keras.Input((), dtype="string", name="colour")
    number = layers.StringLookup(vocabulary=["red", "green"])(colour)
    exported = export(
        keras.Model(colour, layers.Dense(2)(layers.Embedding(3, 2)(number))), loss=LOGITS, learning_rate=0.1
    )
    batch = {"colour": ["red", "green", "other", "red"], "y": [0, 1, 1, 0]}
    losses = [exported.step(**batch) for _ in range(20)]
    assert losses[-1] < 0.2 * losses[0]


def test_subclassed_model(export, random):
    class Scaled(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = layers.Dense(2)

        def call(self, x, scale):
            return self.dense(x) * scale[:, None]

    model = Scaled()
    model(tf.zeros([1, 3]), tf.zeros([1]))
    inputs = {"x": tf.TensorSpec([None, 3]), "scale": tf.TensorSpec([None])}
    exported = export(model, loss="mse", inputs=inputs, optimizer="sgd", learning_rate=0.1)
    batch = {"x": random.normal(size=[6, 3]), "scale": np.ones(6), "y": np.ones([6, 2])}
    losses = [exported.step(**batch) for _ in range(10)]
    assert losses[-1] < losses[0]


def test_several_outputs_and_labels(export, random):
    def make():
        x = keras.Input((4,), name="x")
        return keras.Model(x, {"size": layers.Dense(1)(x), "kind": layers.Dense(3)(x)})

    losses = {"kind": LOGITS, "size": "mse"}
    exported = export(
        make(), loss=losses, loss_weights={"size": 0.25}, metrics={"kind": "accuracy", "size": ["mae"]}, optimizer="sgd"
    )
    assert exported.metadata["labels"] == ["kind", "size"]
    assert exported.metadata["metrics"] == ["kind_accuracy", "size_mae"]
    x, kind, size = random.normal(size=[7, 4]), random.integers(0, 3, [7]), random.normal(size=[7, 1])
    served = exported.call("serving_default", x=x)
    result = exported.evaluate(x=x, kind=kind, size=size)
    expected = LOGITS(kind, served["kind"]).numpy() + 0.25 * np.mean((served["size"] - size) ** 2)
    np.testing.assert_allclose(result["loss"], expected, rtol=1e-5)
    np.testing.assert_allclose(result["metric_size_mae"], np.mean(np.abs(served["size"] - size)), rtol=1e-5)


def test_served_probabilities(export, random):
    exported = export(
        dense_model(), loss=LOGITS, outputs={"probabilities": tf.nn.softmax}, inputs=["features"], labels=["digit"]
    )
    assert exported.metadata["inputs"] == ["features"]
    served = exported.call("serving_default", features=random.normal(size=[5, 4]))["probabilities"]
    np.testing.assert_allclose(served.sum(-1), 1, rtol=1e-6)
    assert exported.gradients(features=random.normal(size=[5, 4]), digit=np.zeros(5))["loss"] > 0
