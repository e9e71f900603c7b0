/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.transport;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The bytes of the mutual challenge and response on a Unix socket: HMAC-SHA256 with the cluster's
 * secret over everything said so far, with fresh nonces of both sides and a label for each
 * direction (the shape of ISO/IEC 9798-4, three passes).
 *
 * <pre>
 * client: magic, version, length, hello, nonce
 * server: magic, version, length, hello, nonce, HMAC("server", all before)
 * client: HMAC("client", all before)
 * server: verdict: 0, or number and text of a refusal
 * </pre>
 *
 * <p>Both sides read a record only after its length, 1 KiB at most, and never a byte beyond it.
 */
final class Handshake {
  static final int HEADER_BYTES = 8;
  static final int MAC_BYTES = 32;
  static final int MAX_RECORD = 1024;
  private static final int MAGIC = 0x54464f53;
  private static final int NONCE_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Handshake() {}

  /** A record with header, hello, fresh nonce and room for {@code tail} more bytes. */
  static ByteBuffer record(Hello hello, int tail) {
    ByteBuffer out = ByteBuffer.allocate(MAX_RECORD);
    out.putInt(MAGIC).putShort(Hello.VERSION).putShort((short) 0);
    hello.encode(out);
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    out.put(nonce);
    if (out.remaining() < tail) {
      throw new BufferOverflowException();
    }
    return out.putShort(6, (short) (out.position() - HEADER_BYTES + tail));
  }

  /** A record that says the version and nothing else. */
  static ByteBuffer versionOnly() {
    ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES);
    return out.putInt(MAGIC).putShort(Hello.VERSION).putShort((short) 0).flip();
  }

  static boolean magic(ByteBuffer header) {
    return header.getInt(0) == MAGIC;
  }

  static int version(ByteBuffer header) {
    return header.getShort(4);
  }

  /** Length of what follows the header, or -1 for one that no honest peer sends. */
  static int length(ByteBuffer header) {
    int length = header.getShort(6);
    return length < NONCE_BYTES || length > MAX_RECORD - HEADER_BYTES ? -1 : length;
  }

  /** HMAC over a label and the records of both sides up to now. */
  static byte[] mac(Membership me, String label, ByteBuffer... transcript) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(me.secret(), "HmacSHA256"));
      mac.update(("tfos " + label + '\0').getBytes(StandardCharsets.US_ASCII));
      for (ByteBuffer record : transcript) {
        mac.update(record.duplicate());
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HmacSHA256 is part of every JDK", e);
    }
  }

  /** Compares in a time that does not depend on the content. */
  static boolean same(byte[] expected, ByteBuffer received) {
    byte[] bytes = new byte[MAC_BYTES];
    received.duplicate().get(bytes);
    return MessageDigest.isEqual(expected, bytes);
  }
}
