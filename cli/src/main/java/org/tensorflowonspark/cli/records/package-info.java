/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code tfos records}: looks at TFRecord files on any file system of Hadoop's, checks and converts
 * them. {@link org.tensorflowonspark.cli.records.RecordsCommand} has the sub-commands. All but the
 * conversion read without Spark. One thread; each command closes what it opens.
 */
@NullMarked
package org.tensorflowonspark.cli.records;

import org.jspecify.annotations.NullMarked;
