/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.sql.hadoop;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * A NameNode and DataNodes of this test, on free ports and with small blocks. Its clients retry for
 * some seconds while a node is away.
 */
public final class MiniHdfs implements AutoCloseable {
  /** Bytes of a block. */
  public static final int BLOCK_BYTES = 128 * 1024;

  private final java.nio.file.Path folder;
  private final Configuration configuration;
  private final MiniDFSCluster cluster;

  private MiniHdfs(java.nio.file.Path folder, Configuration configuration, MiniDFSCluster cluster) {
    this.folder = folder;
    this.configuration = configuration;
    this.cluster = cluster;
  }

  /** Starts it, and blocks until it serves. */
  public static MiniHdfs start(int dataNodes) throws IOException {
    java.nio.file.Path folder = Files.createTempDirectory("tfos-hdfs-");
    Configuration configuration = new Configuration();
    configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.toString());
    configuration.setInt("dfs.blocksize", BLOCK_BYTES);
    configuration.setInt("dfs.namenode.fs-limits.min-block-size", 0);
    configuration.setInt("dfs.replication", dataNodes);
    // The test restarts nodes, it does not wait for the caution of big clusters.
    configuration.setInt("dfs.namenode.safemode.extension", 0);
    configuration.setInt("dfs.heartbeat.interval", 1);
    configuration.setBoolean("dfs.namenode.edits.noeditlogchannelflush", true);
    // As clients of a highly available NameNode do by default.
    configuration.setBoolean("dfs.client.retry.policy.enabled", true);
    configuration.set("dfs.client.retry.policy.spec", "200,100");
    // A reader asks the NameNode for each block, as for the many blocks of a large file.
    configuration.setInt("dfs.client.read.prefetch.size", BLOCK_BYTES);
    configuration.setInt("dfs.client.retry.window.base", 200);
    try {
      MiniDFSCluster cluster =
          new MiniDFSCluster.Builder(configuration).numDataNodes(dataNodes).build();
      cluster.waitActive();
      return new MiniHdfs(folder, configuration, cluster);
    } catch (IOException | RuntimeException e) {
      delete(folder);
      throw e;
    }
  }

  /** The full path of {@code name}. */
  public Path path(String name) {
    return new Path(cluster.getURI() + "/" + name);
  }

  /** The configuration of a client. */
  public Configuration configuration() {
    return configuration;
  }

  DistributedFileSystem fileSystem() throws IOException {
    return cluster.getFileSystem();
  }

  /** Writes a file and lists it. */
  RecordFiles write(String name, byte[] content) throws IOException {
    Frames.write(configuration, path(name), content);
    return list(name);
  }

  RecordFiles list(String name) throws IOException {
    return RecordFiles.list(configuration, List.of(path(name).toString()));
  }

  void stopNameNode() {
    cluster.shutdownNameNode(0);
  }

  /** Starts the NameNode that was stopped, on its old port; blocks until it serves. */
  void startNameNode() throws IOException {
    cluster.restartNameNode(0, true);
  }

  MiniDFSCluster.DataNodeProperties stopDataNode() {
    return cluster.stopDataNode(0);
  }

  void startDataNode(MiniDFSCluster.DataNodeProperties node) throws IOException {
    cluster.restartDataNode(node, true);
    cluster.waitActive();
  }

  @Override
  public void close() throws IOException {
    cluster.shutdown(true);
    delete(folder);
  }

  private static void delete(java.nio.file.Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<java.nio.file.Path> paths = Files.walk(folder)) {
        for (java.nio.file.Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(path);
        }
      }
    }
  }
}
