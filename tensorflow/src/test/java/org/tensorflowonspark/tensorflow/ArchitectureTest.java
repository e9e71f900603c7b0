/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "org.tensorflowonspark.tensorflow",
    importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule ONLY_THE_SHIM_TOUCHES_THE_C_API =
      noClasses()
          .that()
          .resideOutsideOfPackage("..shim..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.tensorflow.internal..", "org.bytedeco..");

  @ArchTest
  static final ArchRule THE_SHIM_KNOWS_NOTHING_ABOVE_IT =
      noClasses()
          .that()
          .resideInAPackage("..shim..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.tensorflowonspark.tensorflow", "org.tensorflowonspark.base");

  @ArchTest
  static final ArchRule NO_SPARK_AND_NO_HADOOP =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark..", "org.apache.hadoop..", "scala..");
}
