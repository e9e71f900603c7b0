/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Operations that all nodes of a cluster do together over the links of {@code transport}:
 * all-reduce of gradients, broadcast, all-gather, barrier. The door is {@link
 * org.tensorflowonspark.cluster.collective.Collective}, one for each node, on executors, used by
 * one program thread; {@code abort} may come from any thread. It owns its links and its scratch
 * memory until it is closed; it does not own the transport.
 */
@NullMarked
package org.tensorflowonspark.cluster.collective;

import org.jspecify.annotations.NullMarked;
