/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.scheduler.ExecutorCacheTaskLocation;
import org.apache.spark.storage.BlockManagerId;
import scala.jdk.javaapi.CollectionConverters;

/** The executors of an application, and which one this process is. */
public final class Executors {

  /**
   * An executor that is there.
   *
   * @param slots tasks that it runs at the same time
   */
  public record Slots(String executorId, String host, int slots) {
    /** The preferred location that makes Spark run a task on this very executor. */
    public String location() {
      return new ExecutorCacheTaskLocation(host, executorId).toString();
    }
  }

  private Executors() {}

  /** The executors registered now, by id; in local mode the driver itself. Driver side. */
  public static List<Slots> of(SparkContext context) {
    int cpus = context.conf().getInt("spark.task.cpus", 1);
    boolean local = context.isLocal();
    List<Slots> executors = new ArrayList<>();
    for (var status : CollectionConverters.asJava(context.statusStore().executorList(true))) {
      boolean driver = status.id().equals("driver");
      if (driver == local && status.totalCores() >= cpus) {
        executors.add(new Slots(status.id(), host(status.hostPort()), status.totalCores() / cpus));
      }
    }
    executors.sort(
        Comparator.comparing((Slots s) -> s.executorId().length())
            .thenComparing(Slots::executorId));
    return executors;
  }

  private static String host(String hostPort) {
    int colon = hostPort.lastIndexOf(':');
    return colon < 0 ? hostPort : hostPort.substring(0, colon);
  }

  /** Id of the executor that this process is. */
  public static String currentId() {
    return SparkEnv.get().executorId();
  }

  /** Host of this process as Spark knows it, without looking at interfaces. */
  public static String currentHost() {
    BlockManagerId id = SparkEnv.get().blockManager().blockManagerId();
    return id.host();
  }

  /** A configuration as a map, in the form in which options and transports read it. */
  public static Map<String, String> settings(SparkConf conf) {
    Map<String, String> settings = new HashMap<>();
    Arrays.stream(conf.getAll()).forEach(e -> settings.put(e._1(), e._2()));
    return settings;
  }

  /** Spark's local directory of this process, which goes with the application. */
  public static String localDirectory() {
    return org.apache.spark.util.Utils.getLocalDir(SparkEnv.get().conf());
  }

  /** Spark's configuration in this process. */
  public static SparkConf currentConf() {
    return SparkEnv.get().conf();
  }
}
