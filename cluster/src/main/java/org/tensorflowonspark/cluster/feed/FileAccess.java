/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.feed;

import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;

/**
 * What a node lends to feeds that read files.
 *
 * @param hadoop how to reach file systems
 * @param nodes number of nodes that share the files
 * @param resolve makes a path of a program a full one
 * @param chiefs gives every node the chief's number for its own; all nodes call it together
 */
public record FileAccess(
    Configuration hadoop, int nodes, UnaryOperator<String> resolve, LongUnaryOperator chiefs) {}
