"""Starts the processes of a TensorFlow cluster on loopback and collects what each of them found."""

import json
import os
import socket
import subprocess
import sys
import time

from peerlib.supervise import PeerError, die_with_parent

JOBS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "jobs")


def environment(keep=()):
    """This process's environment without what would steer Spark, Hadoop or TensorFlow behind our back."""
    steering = ("SPARK_", "PYSPARK_", "HADOOP_", "YARN_", "TF_", "TFOS_", "TENSORFLOW_", "TENSORBOARD_", "PYTHONPATH", "OMP_", "CLASSPATH")
    env = {k: v for k, v in os.environ.items() if k in keep or not k.startswith(steering)}
    env.update(PYTHONDONTWRITEBYTECODE="1", CUDA_VISIBLE_DEVICES="", TF_CPP_MIN_LOG_LEVEL="2", TF_USE_LEGACY_KERAS="1")
    return env


def pin(index):
    """For `preexec_fn`: keeps the process on one core of those allowed, by turns."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[index % len(cores)]})


def launch(folder, name, job, count, arguments=(), threads=1, pinned=True, connected=True):
    """Runs `jobs/<job>` in `count` processes and returns the dict that each left, by rank.

    With `connected` they form one TensorFlow cluster: TF_CONFIG names a free loopback port for each, held until just before
    they start. Fails as soon as one of them does.
    """
    held = []
    for _ in range(count):
        s = socket.socket()
        s.bind(("127.0.0.1", 0))
        held.append(s)
    addresses = ["127.0.0.1:%d" % s.getsockname()[1] for s in held]
    for s in held:
        s.close()

    processes = []
    for rank in range(count):
        env = environment()
        env.update(TF_NUM_INTRAOP_THREADS=str(threads), TF_NUM_INTEROP_THREADS=str(max(threads, 2)))
        if connected:
            env["TF_CONFIG"] = json.dumps({"cluster": {"worker": addresses}, "task": {"type": "worker", "index": rank}})
        out = os.path.join(folder, "%s-%d.json" % (name, rank))

        def prepare(rank=rank):
            die_with_parent()
            if pinned:
                pin(rank)

        command = [sys.executable, os.path.join(JOBS, job), "--rank", str(rank), "--ranks", str(count), "--out", out, *map(str, arguments)]
        processes.append((subprocess.Popen(command, env=env, preexec_fn=prepare), out))

    waiting = list(processes)
    while waiting:
        for entry in list(waiting):
            code = entry[0].poll()
            if code is None:
                continue
            waiting.remove(entry)
            if code != 0:
                for other, _ in waiting:
                    other.kill()
                raise PeerError("a process of %s ended with exit code %d, see above" % (job, code))
        time.sleep(0.01)
    results = []
    for _, out in processes:
        with open(out) as f:
            results.append(json.load(f))
    return results
