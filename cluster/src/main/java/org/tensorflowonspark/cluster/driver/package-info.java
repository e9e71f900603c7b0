/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The driver's side of a cluster: where nodes go, who has checked in, who is alive, what failed
 * first, and the Spark jobs that start and feed nodes. {@link
 * org.tensorflowonspark.cluster.driver.ClusterController} is the door; its state is guarded by one
 * lock, messages arrive on Spark's dispatcher threads, users call from threads of their own.
 */
@NullMarked
package org.tensorflowonspark.cluster.driver;

import org.jspecify.annotations.NullMarked;
