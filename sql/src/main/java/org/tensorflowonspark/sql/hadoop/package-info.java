/* SPDX-License-Identifier: Apache-2.0 */
/**
 * TFRecord files on any Hadoop file system: listing, splitting, reading, and Hadoop's input and
 * output formats. Whoever opens closes; one thread each.
 */
@org.jspecify.annotations.NullMarked
package org.tensorflowonspark.sql.hadoop;
