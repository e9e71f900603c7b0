/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.source;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import scala.jdk.javaapi.CollectionConverters;

/** Between Scala's types and Java's. */
final class Scala {
  private Scala() {}

  static <K, V> Map<K, V> toJava(scala.collection.immutable.Map<K, V> map) {
    return CollectionConverters.asJava(map);
  }

  static <T> List<T> toJava(scala.collection.immutable.Seq<T> values) {
    return CollectionConverters.asJava(values);
  }

  static <T> scala.collection.immutable.Seq<T> toScala(List<T> values) {
    return CollectionConverters.asScala(values).toSeq();
  }

  /**
   * Throws a checked exception where Java allows none. Spark's interfaces are Scala's, which know
   * no checked exceptions, and Spark treats an {@code IOException} otherwise than a wrapped one.
   *
   * @return nothing; callers throw the call, so that the compiler knows its end
   */
  static RuntimeException unchecked(IOException e) {
    throw Scala.<RuntimeException>erased(e);
  }

  // The type is of no matter: it is erased before the throw.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E erased(Exception e) throws E {
    throw (E) e;
  }
}
