"""What the peers share: supervision, a standalone Spark cluster, ranks of a TensorFlow cluster, MNIST files."""
