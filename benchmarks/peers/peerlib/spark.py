"""A real standalone Spark cluster on loopback, started from the distribution that the pyspark package is."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import time

from peerlib.ranks import JOBS, environment, pin
from peerlib.supervise import PeerError, die_with_parent

_LOOPBACK = os.path.join(os.path.dirname(JOBS), "loopback")


class StandaloneCluster:
    """One master and some one-core workers, each with room for one executor; use as a context manager."""

    def __init__(self, folder, workers=2, memory_mb=3072, pinned=False):
        self.folder = folder
        self.workers = workers
        self.memory_mb = memory_mb
        self.pinned = pinned
        self.home = os.path.dirname(importlib.util.find_spec("pyspark").origin)
        self.processes = []
        self.url = None

    def __enter__(self):
        os.makedirs(os.path.join(self.folder, "conf"))
        self.env = environment(keep=("JAVA_HOME",))
        self.env.update(
            SPARK_HOME=self.home,
            SPARK_CONF_DIR=os.path.join(self.folder, "conf"),
            SPARK_LOCAL_IP="127.0.0.1",
            SPARK_LOCAL_DIRS=os.path.join(self.folder, "local"),
            SPARK_DAEMON_MEMORY="512m",
            PYTHONPATH=_LOOPBACK,
            PYSPARK_PYTHON=sys.executable,
            PYSPARK_DRIVER_PYTHON=sys.executable,
            TFOS_SERVER_HOST="127.0.0.1",
        )
        try:
            master = self._daemon("master", "Master", ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"])
            self.url = self._await(master, r"Starting Spark master at (spark://127\.0\.0\.1:[1-9]\d*)")
            for i in range(self.workers):
                options = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0", "--cores", "1", "--memory", "%dm" % self.memory_mb]
                options += ["--work-dir", os.path.join(self.folder, "work-%d" % i), self.url]
                worker = self._daemon("worker-%d" % i, "Worker", options, core=i if self.pinned else None)
                self._await(worker, r"Successfully registered with master")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process, _ in reversed(self.processes):
            process.terminate()
        for process, _ in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()

    def submit(self, job, arguments=(), conf=None):
        """Runs `jobs/<job>` through spark-submit; returns what it left and the seconds the submission took."""
        result = os.path.join(self.folder, job + ".json")
        settings = {
            "spark.cores.max": self.workers,
            "spark.executor.cores": 1,
            "spark.task.cpus": 1,
            "spark.executor.instances": self.workers,
            "spark.executor.memory": "%dm" % self.memory_mb,
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "1g",
            "spark.ui.enabled": "false",
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime": "60s",
            "spark.sql.warehouse.dir": os.path.join(self.folder, "warehouse"),
            "spark.executorEnv.PYTHONPATH": _LOOPBACK,
            "spark.executorEnv.PYTHONDONTWRITEBYTECODE": "1",
            "spark.executorEnv.TF_CPP_MIN_LOG_LEVEL": "2",
            "spark.executorEnv.TF_USE_LEGACY_KERAS": "1",
            **(conf or {}),
        }
        command = [os.path.join(self.home, "bin", "spark-submit"), "--master", self.url]
        for key, value in settings.items():
            command += ["--conf", "%s=%s" % (key, value)]
        command += [os.path.join(JOBS, job), "--result", result, *map(str, arguments)]
        log = os.path.join(self.folder, job + ".log")
        begin = time.monotonic()
        with open(log, "wb") as f:
            code = subprocess.call(command, stdout=f, stderr=subprocess.STDOUT, env=self.env, cwd=self.folder, preexec_fn=die_with_parent)
        seconds = time.monotonic() - begin
        if code != 0 or not os.path.exists(result):
            _show(log)
            raise PeerError("the Spark program %s ended with exit code %d, the end of its log is above" % (job, code))
        with open(result) as f:
            return json.load(f), seconds

    def _daemon(self, name, kind, options, core=None):
        def prepare():
            die_with_parent()
            if core is not None:
                pin(core)

        log = os.path.join(self.folder, name + ".log")
        command = [os.path.join(self.home, "bin", "spark-class"), "org.apache.spark.deploy.%s.%s" % (kind.lower(), kind), *options]
        with open(log, "wb") as f:
            process = subprocess.Popen(command, stdout=f, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=self.env, cwd=self.folder, preexec_fn=prepare)
        self.processes.append((process, log))
        return process, log

    def _await(self, daemon, pattern, seconds=60):
        process, log = daemon
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with open(log, errors="replace") as f:
                match = re.search(pattern, f.read())
            if match:
                return match.group(match.lastindex or 0)
            if process.poll() is not None:
                break
            time.sleep(0.1)
        _show(log)
        raise PeerError("Spark's %s did not start, the end of its log is above" % os.path.basename(log).removesuffix(".log"))


def _show(log, lines=60):
    with open(log, errors="replace") as f:
        sys.stderr.write("".join(f.readlines()[-lines:]))
