/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.examples;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;
import org.tensorflowonspark.base.ErrorCode;

/** Which part of the product may use which. */
@AnalyzeClasses(
    packages = ArchitectureTest.ROOT,
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  static final String ROOT = "org.tensorflowonspark";

  /** Each module, with the modules that it may use. */
  private static final Map<String, List<String>> MODULES =
      Map.of(
          "base", List.of(),
          "tfrecord", List.of("base"),
          "tensorflow", List.of("base"),
          "testkit", List.of("base"),
          "sql", List.of("base", "tfrecord"),
          "cluster", List.of("base", "tfrecord", "tensorflow", "sql"),
          "train", List.of("base", "tfrecord", "tensorflow", "sql", "cluster"),
          "cli", List.of("base", "tfrecord", "tensorflow", "sql", "cluster", "train", "testkit"),
          "examples", List.of("base", "tfrecord", "tensorflow", "sql", "cluster", "train"));

  /** Packages of the module cluster: each may use those of the lines above its own. */
  private static final List<List<String>> CLUSTER =
      List.of(
          List.of(".config"),
          List.of(".control"),
          List.of(".spark", ".transport"),
          List.of(".collective", ".columns"),
          List.of(".files"),
          List.of(".feed"),
          List.of(".node"),
          List.of(".driver"),
          List.of(""));

  /** Packages of the module sql: each may use those of the lines above its own. */
  private static final List<List<String>> SQL =
      List.of(List.of(".rows", ".hadoop"), List.of(".source"), List.of(".compat"));

  @ArchTest
  static void modulesDependOneWay(JavaClasses code) {
    MODULES.forEach(
        (module, allowed) -> {
          List<String> forbidden = new ArrayList<>(MODULES.keySet());
          forbidden.removeAll(allowed);
          forbidden.remove(module);
          noClasses()
              .that()
              .resideInAPackage(module(module))
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(forbidden.stream().map(m -> module(m)).toArray(String[]::new))
              .because(module + " may use " + allowed + " only")
              .check(code);
        });
  }

  @ArchTest
  static void packagesOfClusterDependOneWay(JavaClasses code) {
    packagesDependOneWay(code, "cluster", CLUSTER);
  }

  @ArchTest
  static void packagesOfSqlDependOneWay(JavaClasses code) {
    packagesDependOneWay(code, "sql", SQL);
  }

  private static void packagesDependOneWay(
      JavaClasses code, String module, List<List<String>> layers) {
    for (int i = 0; i < layers.size(); i++) {
      for (String name : layers.get(i)) {
        List<String> forbidden =
            layers.subList(i, layers.size()).stream()
                .flatMap(List::stream)
                .filter(other -> !other.equals(name))
                .map(other -> ROOT + "." + module + other)
                .toList();
        if (!forbidden.isEmpty()) {
          noClasses()
              .that()
              .resideInAPackage(ROOT + "." + module + name)
              .should()
              .dependOnClassesThat()
              .resideInAnyPackage(forbidden.toArray(String[]::new))
              .because("within " + module + " the order is " + layers)
              .check(code);
        }
      }
    }
  }

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching(ROOT + ".(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule baseIsPlainJava =
      classes()
          .that()
          .resideInAPackage(module("base"))
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", module("base"));

  @ArchTest
  static final ArchRule tfrecordIsPlainJava =
      classes()
          .that()
          .resideInAPackage(module("tfrecord"))
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "org.jspecify..", module("base"), module("tfrecord"));

  @ArchTest
  static final ArchRule tensorflowKnowsNoSpark =
      noClasses()
          .that()
          .resideInAPackage(module("tensorflow"))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark..", "org.apache.hadoop..", "scala..");

  @ArchTest
  static final ArchRule onlyTheShimReachesIntoTensorFlow =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".tensorflow.shim..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.tensorflow.internal..", "org.bytedeco..");

  /** Spark's own packages, but for what it offers to everybody. */
  @ArchTest
  static final ArchRule onlyOnePackageReachesIntoSpark =
      noClasses()
          .that()
          .resideOutsideOfPackages(ROOT + ".cluster.spark..", module("testkit"))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "org.apache.spark.deploy..",
                      "org.apache.spark.executor..",
                      "org.apache.spark.internal..",
                      "org.apache.spark.memory..",
                      "org.apache.spark.rpc..",
                      "org.apache.spark.scheduler..",
                      "org.apache.spark.status..",
                      "org.apache.spark.storage..",
                      "org.apache.spark.util..")
                  .and(not(equivalentTo(StorageLevel.class)))
                  .and(not(equivalentTo(SerializableConfiguration.class)))
                  .and(not(equivalentTo(LongAccumulator.class)))
                  .and(not(equivalentTo(TaskCompletionListener.class)))
                  .and(not(equivalentTo(StageInfo.class)))
                  .and(not(nameStartingWith("org.apache.spark.scheduler.SparkListener"))));

  /** Spark's file sources are an internal interface. */
  @ArchTest
  static final ArchRule onlyTheDataSourceReachesIntoSparkSql =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".sql.source..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.spark.sql.execution.datasources..");

  @ArchTest
  static final ArchRule onlyTheTransportUsesSparksNetwork =
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + ".cluster.transport..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark.network..", "io.netty..");

  @ArchTest
  static final ArchRule onlyTheCommandEndsTheProcess =
      noClasses()
          .that()
          .resideOutsideOfPackage(module("cli"))
          .should()
          .callMethod(System.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "halt", int.class);

  @ArchTest
  static final ArchRule nobodySleeps =
      noClasses()
          .that()
          .resideOutsideOfPackage(module("testkit"))
          .should()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callMethod(Thread.class, "sleep", long.class, int.class)
          .orShould()
          .callMethod(TimeUnit.class, "sleep", long.class)
          .because("a wait is for something, and has a deadline");

  /** So that the page of errors finds them all by looking at few files. */
  @ArchTest
  static final ArchRule errorCodesAreEnumsCalledError =
      classes()
          .that()
          .implement(ErrorCode.class)
          .should()
          .beEnums()
          .andShould()
          .haveSimpleNameEndingWith("Error");

  @ArchTest
  static void everyPackageSaysWhatItIs(JavaClasses code) {
    List<String> silent =
        code.stream()
            .map(JavaClass::getPackageName)
            .distinct()
            .filter(name -> !code.contain(name + ".package-info"))
            .toList();
    assertThat(silent).as("packages without package-info.java").isEmpty();
  }

  @ArchTest
  static void everyModuleIsLookedAt(JavaClasses code) {
    assertThat(MODULES.keySet())
        .allSatisfy(m -> assertThat(code.that(resideInAnyPackage(module(m)))).isNotEmpty());
  }

  private static String module(String name) {
    return ROOT + "." + name + "..";
  }
}
