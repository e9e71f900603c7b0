/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.tensorflowonspark.tfrecord.Damage;
import org.tensorflowonspark.tfrecord.RecordError;

class BadRecordsTest {
  private static Damage damage(int offset) {
    return new Damage(RecordError.CORRUPT_DATA, "f", offset, 1, "reason");
  }

  @Test
  void damageBecomesRowsInItsOrder() {
    BadRecords bad = new BadRecords(ReadMode.PERMISSIVE, false, null);
    bad.onDamage(damage(7));
    bad.onDamage(damage(9));

    assertThat(bad.isWaiting()).isTrue();
    assertThat(bad.poll().text()).isEqualTo("[TFOS-RECORD-002] f at byte 7: reason");
    assertThat(bad.poll().text()).isEqualTo("[TFOS-RECORD-002] f at byte 9: reason");
    assertThat(bad.poll()).isNull();
    assertThat(bad.isWaiting()).isFalse();
  }

  @Test
  void aFileThatIsDamagedAllOverDoesNotFillTheMemory() {
    BadRecords bad = new BadRecords(ReadMode.PERMISSIVE, false, null);
    for (int i = 0; i < BadRecords.MOST_WAITING + 5; i++) {
      bad.onDamage(damage(i));
    }

    for (int i = 0; i < BadRecords.MOST_WAITING; i++) {
      assertThat(bad.poll().text()).contains("at byte " + i + ":");
    }
    assertThat(bad.poll().text())
        .isEqualTo("and 5 more up to [TFOS-RECORD-002] f at byte 10004: reason");
    assertThat(bad.poll()).isNull();
  }

  @Test
  void whatIsDroppedBecomesNoRow() {
    BadRecords bad = new BadRecords(ReadMode.DROPMALFORMED, false, null);
    bad.onDamage(damage(7));

    assertThat(bad.isWaiting()).isFalse();
    assertThat(bad.poll()).isNull();
  }
}
