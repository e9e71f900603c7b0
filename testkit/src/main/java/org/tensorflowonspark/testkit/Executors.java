/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.function.Function0;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.ExecutorCacheTaskLocation;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.BlockManagerMaster;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/** Asks a SparkContext about its executors and reaches each of them. */
final class Executors {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Executors() {}

  /** Executors that can take tasks and blocks. */
  static List<BlockManagerId> registered(SparkContext context) {
    BlockManagerMaster master = context.env().blockManager().master();
    List<BlockManagerId> found = new ArrayList<>();
    for (BlockManagerId id : CollectionConverters.asJava(master.getMemoryStatus().keySet())) {
      if (!id.isDriver()) {
        found.add(id);
      }
    }
    return found;
  }

  static Set<String> registeredIds(SparkContext context) {
    Set<String> ids = new TreeSet<>();
    registered(context).forEach(id -> ids.add(id.executorId()));
    return ids;
  }

  /**
   * One task for each executor, placed by preferred location. Spark takes that for a wish only, so
   * executors that were passed over get another round.
   */
  static <T> Map<String, T> onEach(SparkContext context, Function0<T> function) {
    Map<String, T> results = new HashMap<>();
    return Eventually.value(
        PATIENCE,
        "every executor has run a task",
        () -> {
          List<BlockManagerId> missing = new ArrayList<>(registered(context));
          missing.removeIf(id -> results.containsKey(id.executorId()));
          if (!missing.isEmpty()) {
            runRound(context, missing, function).forEach(results::putIfAbsent);
          }
          return results.keySet().containsAll(registeredIds(context)) ? results : null;
        });
  }

  private static <T> Map<String, T> runRound(
      SparkContext context, List<BlockManagerId> targets, Function0<T> function) {
    List<Tuple2<String, Seq<String>>> places = new ArrayList<>();
    for (BlockManagerId id : targets) {
      String place = new ExecutorCacheTaskLocation(id.host(), id.executorId()).toString();
      places.add(
          new Tuple2<>(id.executorId(), CollectionConverters.asScala(List.of(place)).toSeq()));
    }
    RDD<String> rdd =
        context.makeRDD(
            CollectionConverters.asScala(places).toSeq(), ClassTag$.MODULE$.apply(String.class));
    Map<String, T> results = new HashMap<>();
    rdd.toJavaRDD()
        .map(ignored -> new Tuple2<>(SparkEnv.get().executorId(), function.call()))
        .collect()
        .forEach(result -> results.put(result._1(), result._2()));
    return results;
  }
}
