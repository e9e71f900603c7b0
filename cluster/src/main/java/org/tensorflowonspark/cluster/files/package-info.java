/* SPDX-License-Identifier: Apache-2.0 */
/**
 * TFRecord files that nodes read themselves, without a Spark job: which node reads which part of
 * them, and the chunks of columns that come out, the same as feed tasks make of rows. The entry is
 * {@link org.tensorflowonspark.cluster.files.TFRecordInput}; feeds open and close the rest.
 */
@org.jspecify.annotations.NullMarked
package org.tensorflowonspark.cluster.files;
