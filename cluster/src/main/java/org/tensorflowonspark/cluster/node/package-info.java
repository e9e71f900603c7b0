/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The node: a user's program ({@link org.tensorflowonspark.cluster.node.NodeProgram}) on a thread
 * of its own inside an executor, and what it gets ({@link
 * org.tensorflowonspark.cluster.node.NodeContext}). A start task launches it and ends; from then on
 * a second thread keeps in touch with the driver, and closes everything that the node holds when
 * the driver says so or is gone.
 */
@NullMarked
package org.tensorflowonspark.cluster.node;

import org.jspecify.annotations.NullMarked;
