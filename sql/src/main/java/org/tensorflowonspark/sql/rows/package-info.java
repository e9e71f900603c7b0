/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Between records and Spark's internal rows: which column becomes which feature, decoding into and
 * encoding from {@code InternalRow}, and inference of a schema. Knows no files. Objects are reused
 * from row to row, belong to one thread and own nothing that needs closing. Doors are {@link
 * org.tensorflowonspark.sql.rows.RowDecoder}, {@link org.tensorflowonspark.sql.rows.RowEncoder} and
 * {@link org.tensorflowonspark.sql.rows.SchemaInference}.
 *
 * <table>
 * <caption>Types of columns, what they are written as, and what they are read from</caption>
 * <tr><th>Spark<th>written as<th>read from<th>inferred
 * <tr><td>bigint<td>INT64<td>INT64<td>from INT64
 * <tr><td>int, smallint, tinyint<td>INT64<td>INT64; a value that does not fit is an error<td>
 * <tr><td>boolean<td>INT64, 0 or 1<td>INT64; any other value is an error<td>
 * <tr><td>date<td>INT64, days since 1970-01-01<td>INT64<td>
 * <tr><td>timestamp, timestamp_ntz<td>INT64, microseconds since 1970-01-01 00:00 (UTC, or no
 *     zone)<td>INT64<td>
 * <tr><td>float<td>FLOAT<td>FLOAT<td>from FLOAT
 * <tr><td>double<td>FLOAT, the nearest one, an error beyond its range; text when written exactly
 *     <td>FLOAT; BYTES as text<td>
 * <tr><td>decimal<td>FLOAT, the nearest one; text when written exactly<td>FLOAT, rounded to the
 *     scale; BYTES as text and INT64, of which a value that does not fit is an error<td>
 * <tr><td>string, char, varchar<td>BYTES, UTF-8<td>BYTES, as they are<td>from BYTES
 * <tr><td>binary<td>BYTES<td>BYTES<td>from BYTES, with binaryAsString=false
 * <tr><td>array of one of these<td>list of these; an empty array as an empty list; a null element
 *     is an error<td>the same; a feature that holds no list at all is an empty array<td>where any
 *     record has no value, or several
 * <tr><td>array of arrays<td>feature list of a SequenceExample<td>the same<td>from feature lists
 * <tr><td>vector of Spark ML<td>FLOAT, dense, also of sparse vectors<td>FLOAT, as a dense vector
 *     <td>
 * <tr><td>void<td>nothing<td>anything, as null<td>where no record has a kind of values
 * <tr><td>struct, map, interval, variant<td>error<td>error<td>
 * </table>
 *
 * <p>A null is an absent feature, both ways. A column for one value is null, too, where the feature
 * holds none, and takes no feature of several. In a column that is not nullable these are errors.
 */
@org.jspecify.annotations.NullMarked
package org.tensorflowonspark.sql.rows;
