/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

/** {@link LinkConformance} over tcp+encryption. */
class EncryptedTcpLinkTest extends LinkConformance {
  EncryptedTcpLinkTest() {
    super(TransportMode.TCP, true, "tcp+encryption");
  }
}
