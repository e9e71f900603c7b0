/* SPDX-License-Identifier: Apache-2.0 */
package org.tensorflowonspark.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConcurrentPredictionTest {

  @Test
  void severalThreadsAskOneModelAndEachGetsItsOwnAnswer() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (TrainableModel model = Fixtures.load("multi-dim-mlp")) {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int seed = t;
        all.add(
            threads.submit(
                () -> {
                  try (Batch batch = Data.batch(model, 8, 5 + seed % 3, seed)) {
                    double[] first;
                    try (TensorList prediction = model.predict(batch)) {
                      first = prediction.doubles(0);
                    }
                    for (int i = 0; i < 300; i++) {
                      try (TensorList prediction = model.predict(batch)) {
                        assertThat(prediction.doubles(0)).containsExactly(first);
                      }
                    }
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void closingWaitsForCallsInProgressAndRefusesLaterOnes() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    CountDownLatch started = new CountDownLatch(1);
    TrainableModel model = Fixtures.load("lstm");
    try (Batch batch = Data.batch(model, 64, 64, 1)) {
      Future<?> running =
          thread.submit(
              () -> {
                while (true) {
                  model.predict(batch).close();
                  started.countDown();
                }
              });
      assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
      model.close();
      assertThatThrownBy(running::get)
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage("This model is closed");
    } finally {
      model.close();
      thread.shutdownNow();
    }
  }
}
