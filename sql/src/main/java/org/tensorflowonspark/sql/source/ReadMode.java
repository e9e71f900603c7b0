/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

/** What becomes of damage and of records that do not fit the schema. */
enum ReadMode {
  FAILFAST,
  PERMISSIVE,
  DROPMALFORMED
}
