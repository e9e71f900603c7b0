/* SPDX-License-Identifier: Apache-2.0 */
/**
 * From Spark's rows to a program's batches. Feed tasks ({@link
 * org.tensorflowonspark.cluster.feed.FeedTask}, threads of Spark) turn rows into chunks of columns
 * and hand them to a node's {@link org.tensorflowonspark.cluster.feed.FeedReceiver}, in the same
 * JVM or over the data plane; the program reads batches from its {@link
 * org.tensorflowonspark.cluster.feed.Feed} on its own thread. The node closes its receiver, the
 * program its feeds.
 */
@NullMarked
package org.tensorflowonspark.cluster.feed;

import org.jspecify.annotations.NullMarked;
