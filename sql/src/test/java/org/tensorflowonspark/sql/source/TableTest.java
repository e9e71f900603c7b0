/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tables of TFRecord files in SQL. */
class TableTest {
  @RegisterExtension static final LocalSpark SPARK = new LocalSpark();

  @TempDir Path temp;

  @AfterEach
  void dropTable() {
    SPARK.sql("DROP TABLE IF EXISTS t");
  }

  private static List<String> rows(String query) {
    return SPARK.sql(query).collectAsList().stream().map(Row::toString).toList();
  }

  @Test
  void aTableIsMadeFromAQueryAndAddedTo() throws Exception {
    SPARK.sql(
        "CREATE TABLE t USING tfrecord OPTIONS (compression 'gzip') LOCATION '"
            + temp.resolve("t")
            + "' AS SELECT id, CAST(id AS STRING) name FROM RANGE(3)");
    SPARK.sql("INSERT INTO t VALUES (7, 'seven'), (8, NULL)");

    assertThat(rows("SELECT * FROM t ORDER BY id"))
        .containsExactly("[0,0]", "[1,1]", "[2,2]", "[7,seven]", "[8,null]");
    assertThat(Records.dataFiles(temp.resolve("t")))
        .isNotEmpty()
        .allMatch(file -> file.toString().endsWith(".tfrecord.gz"));
    SPARK.sql("INSERT OVERWRITE t SELECT 1, 'only'");
    assertThat(rows("SELECT name, id FROM t")).containsExactly("[only,1]");
  }

  @Test
  void aTableOverFilesHasTheirSchema() {
    Records.write(temp.resolve("t/a.tfrecord"), Records.numbered(3, 2));
    SPARK.sql("CREATE TABLE t USING tfrecord LOCATION '" + temp.resolve("t") + "'");

    assertThat(SPARK.session().table("t").schema().simpleString()).isEqualTo("struct<id:bigint>");
    assertThat(rows("SELECT SUM(id) FROM t")).containsExactly("[7]");
  }

  @Test
  void aTableWithPartitionsIsPrunedAndOverwrittenByPartition() {
    SPARK.sql("CREATE TABLE t (id BIGINT, v FLOAT, p STRING) USING tfrecord PARTITIONED BY (p)");
    SPARK.sql("INSERT INTO t VALUES (1, 1.5, 'a'), (2, 2.5, 'b')");
    SPARK.sql("INSERT OVERWRITE t PARTITION (p = 'b') VALUES (3, 3.5)");

    assertThat(rows("SELECT * FROM t ORDER BY id")).containsExactly("[1,1.5,a]", "[3,3.5,b]");
    assertThat(rows("SELECT id FROM t WHERE p = 'b'")).containsExactly("[3]");
    assertThat(rows("SHOW PARTITIONS t")).containsExactly("[p=a]", "[p=b]");
  }

  @Test
  void aBucketedTableIsJoinedByItsBuckets() {
    SPARK
        .sql("SELECT id, id * 2 AS twice FROM RANGE(20)")
        .write()
        .format("tfrecord")
        .bucketBy(3, "id")
        .mode(SaveMode.Overwrite)
        .saveAsTable("t");
    String join = "SELECT /*+ MERGE(a) */ a.id, b.twice FROM t a JOIN t b ON a.id = b.id";

    assertThat(SPARK.sql(join).queryExecution().executedPlan().toString())
        .contains("Bucketed: true")
        .doesNotContain("hashpartitioning");
    assertThat(rows("SELECT COUNT(*), SUM(twice) FROM (" + join + ")")).containsExactly("[20,380]");
  }

  @Test
  void aMisspeltOptionOfATableIsAnError() {
    assertThatThrownBy(
            () ->
                SPARK.sql(
                    "CREATE TABLE t USING tfrecord OPTIONS (recordtyp 'Example') AS SELECT 1 id"))
        .hasMessageContaining("Did you mean 'recordType'?");
  }
}
