/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FirstCauseTest {
  private final FirstCause failures = new FirstCause();
  private final RuntimeException peerGone = new RuntimeException("a peer is gone");
  private final RuntimeException boom = new RuntimeException("boom");
  private final RuntimeException later = new RuntimeException("later");

  @Test
  void aConsequenceWaitsForItsCause() {
    failures.consequence(peerGone);

    assertThat(failures.decide()).isNull();
  }

  @Test
  void theCauseWinsThoughItIsReportedLaterAndFoldsTheOthersUnderIt() {
    failures.consequence(peerGone);
    failures.cause(boom);
    failures.cause(later);

    assertThat(failures.decide()).isSameAs(boom).hasSuppressedException(peerGone);
    assertThat(boom.getSuppressed()).contains(later);
  }

  @Test
  void nothingIsDecidedWithoutAFailure() {
    assertThat(failures.decide()).isNull();
  }
}
