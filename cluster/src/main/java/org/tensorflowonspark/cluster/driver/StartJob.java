/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.cluster.driver;

import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.util.SerializableConfiguration;
import org.tensorflowonspark.base.TfosException;
import org.tensorflowonspark.cluster.config.ClusterError;
import org.tensorflowonspark.cluster.config.ClusterOptions;
import org.tensorflowonspark.cluster.control.Member;
import org.tensorflowonspark.cluster.node.NodeLauncher;
import org.tensorflowonspark.cluster.node.NodeSpec;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** The Spark job that launches the nodes: one short task for each, at its place. */
final class StartJob {
  private final SparkContext context;
  private final NodeSpec spec;
  private final List<String> places;
  private final ClusterController controller;

  StartJob(SparkContext context, NodeSpec spec, List<String> places, ClusterController controller) {
    this.context = context;
    this.spec = spec;
    this.places = places;
    this.controller = controller;
  }

  /** Launches all nodes and waits for their check-in. */
  List<Member> run() throws InterruptedException {
    Duration timeout = spec.options().get(ClusterOptions.START_TIMEOUT);
    Thread job = new Thread(this::launch, "tfos-start-" + spec.clusterId());
    job.setDaemon(true);
    job.start();
    return controller.begin(
        timeout,
        "Look whether other jobs hold all task slots, or raise spark.tfos.cluster.startTimeout.");
  }

  private void launch() {
    List<Tuple2<Integer, Seq<String>>> tasks = new ArrayList<>();
    for (int rank = 0; rank < places.size(); rank++) {
      tasks.add(
          new Tuple2<>(rank, CollectionConverters.asScala(List.of(places.get(rank))).toSeq()));
    }
    NodeSpec nodes = spec;
    try {
      context.addJobTag(controller.jobTag());
      context.setJobDescription("Start TensorFlow cluster " + spec.clusterId());
      JavaRDD<Integer> ranks =
          new JavaRDD<>(
              context.makeRDD(
                  CollectionConverters.asScala(tasks).toSeq(),
                  scala.reflect.ClassTag$.MODULE$.apply(Integer.class)),
              scala.reflect.ClassTag$.MODULE$.apply(Integer.class));
      ranks.foreach(rank -> NodeLauncher.launch(nodes, rank));
    } catch (Exception e) { // Scala throws checked exceptions that no signature shows
      controller.startFailed(Failures.ofJob(ClusterError.START_FAILED, "starts the nodes", e));
    }
  }

  /** Fails with the name of the class that stands in the way. */
  static void checkSerializable(Object program) {
    try (ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream())) {
      out.writeObject(program);
    } catch (NotSerializableException e) {
      throw new TfosException(
          ClusterError.NOT_SERIALIZABLE,
          "The program holds an object of class " + e.getMessage() + ", which is not serialisable",
          "Make that object inside the program, or copy what you need of it into a local variable"
              + " (a lambda that uses a field captures the whole enclosing object).",
          e);
    } catch (IOException e) {
      throw new TfosException(
          ClusterError.NOT_SERIALIZABLE, "The program cannot be serialised: " + e, "", e);
    }
  }

  static SerializableConfiguration hadoopConfiguration(SparkContext context) {
    return new SerializableConfiguration(context.hadoopConfiguration());
  }

  static String workingDirectory(SparkContext context) {
    try {
      return FileSystem.get(context.hadoopConfiguration()).getWorkingDirectory().toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
