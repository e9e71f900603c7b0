/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tfrecord;

/**
 * A stretch of a file that holds no readable record.
 *
 * @param error what is wrong
 * @param file name of the file
 * @param offset where it begins, in the file or, when that is compressed, in its plain content
 * @param length how many bytes were passed over; up to the end of the file when nothing readable
 *     follows
 * @param reason what was found, in words and numbers
 */
public record Damage(RecordError error, String file, long offset, long length, String reason) {}
