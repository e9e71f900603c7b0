"""Runs one peer: one JSON line on stdout, a time limit, and nothing left running afterwards.

The program forks. The child measures, with its stdout turned to stderr, and leaves its result in a file of
a temporary folder. The parent is the "subreaper" of everything below it: whatever the child started, in
whatever session or process group, stays a descendant of the parent, which ends all of it when the child is
done, fails, takes too long, or when the parent itself is told to stop.
"""

import argparse
import ctypes
import importlib.util
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LIBC = ctypes.CDLL(None, use_errno=True)

CANNOT_RUN = 2


class PeerError(Exception):
    """The peer cannot run or did not give a valid result; the text is one line for the user."""


class _Stopped(BaseException):
    pass


def die_with_parent():
    """For `preexec_fn`: the process is killed when the thread that started it is gone."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def versions(*names):
    """Versions of installed packages by distribution name, and of Python."""
    from importlib import metadata

    found = {"python": "%d.%d.%d" % sys.version_info[:3]}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    return found


def run(peer, doc, measure, arguments=None, needs=(), tools=(), limit=300):
    """Parses the command line, runs `measure(args, folder)` supervised and prints what it returns.

    `measure` returns a dict with at least `case`, `value` and `unit`. `needs` are modules and `tools`
    programs without which the peer cannot run. Exit code 0 with a result, otherwise 2.
    """
    parser = argparse.ArgumentParser(prog=peer, description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if arguments:
        arguments(parser)
    parser.add_argument("--time-limit", type=float, default=limit, metavar="SECONDS", help="give up after this long (%(default)s)")
    args = parser.parse_args()

    try:
        for module in needs:
            if importlib.util.find_spec(module) is None:
                raise PeerError("no module %s in this python: make the environment with benchmarks/peers/setup and use the python it prints" % module)
        for tool in tools:
            if shutil.which(tool) is None:
                raise PeerError("no %s on PATH" % tool)
        result = _supervised(measure, args)
    except PeerError as e:
        print("%s: cannot run: %s" % (peer, " ".join(str(e).split())), file=sys.stderr, flush=True)
        sys.exit(CANNOT_RUN)
    print(json.dumps({"peer": peer, **result}), flush=True)


def _supervised(measure, args):
    _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    folder = tempfile.mkdtemp(prefix="peer-")
    file = os.path.join(folder, "result.json")

    def stop(signum, frame):
        raise _Stopped(signal.Signals(signum).name)

    caught = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    before = {s: signal.signal(s, stop) for s in caught}
    try:
        child = os.fork()
        if child == 0:
            _child(measure, args, folder, file, before)
        deadline = time.monotonic() + args.time_limit
        while os.waitpid(child, os.WNOHANG)[0] == 0:
            if time.monotonic() > deadline:
                raise PeerError("not done within the limit of %g s" % args.time_limit)
            time.sleep(0.02)
    except _Stopped as e:
        raise PeerError("stopped by %s" % e) from None
    finally:
        for s in caught:
            signal.signal(s, signal.SIG_IGN)
        _end_descendants()
        try:
            with open(file) as f:
                outcome = json.load(f)
        except (OSError, ValueError):
            outcome = {"error": "the measuring process ended without a result, see above"}
        shutil.rmtree(folder, ignore_errors=True)
        for s in caught:
            signal.signal(s, before[s])
    if "error" in outcome:
        raise PeerError(outcome["error"])
    return outcome


def _child(measure, args, folder, file, handlers):
    """Never returns: measures and leaves the outcome in the file."""
    code = CANNOT_RUN
    try:
        parent = os.getppid()
        die_with_parent()
        if os.getppid() != parent:
            os._exit(code)
        for s, handler in handlers.items():
            signal.signal(s, handler)
        os.setsid()
        sys.stdout.flush()
        os.dup2(2, 1)
        # Libraries leave things in the temporary folder; this one is removed.
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        try:
            outcome = measure(args, folder)
            code = 0
        except PeerError as e:
            outcome = {"error": str(e)}
        except SystemExit as e:
            outcome = {"error": "the measured program exited with %r" % (e.code,)}
        except Exception as e:
            traceback.print_exc()
            outcome = {"error": "%s: %s" % (type(e).__name__, e)}
        with open(file + ".part", "w") as f:
            json.dump(outcome, f)
        os.replace(file + ".part", file)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        code = CANNOT_RUN
        traceback.print_exc()
    finally:
        os._exit(code)


def _descendants():
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open("/proc/%s/stat" % entry) as f:
                    state, parent = f.read().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                children.setdefault(int(parent), []).append(int(entry))
    found, left = [], [os.getpid()]
    while left:
        below = children.get(left.pop(), [])
        found += below
        left += below
    return found


def _end_descendants():
    for signum, patience in ((signal.SIGTERM, 5.0), (signal.SIGKILL, 10.0)):
        told = set()
        until = time.monotonic() + patience
        while time.monotonic() < until:
            alive = _descendants()
            for pid in alive:
                if pid not in told:
                    told.add(pid)
                    try:
                        os.kill(pid, signum)
                    except ProcessLookupError:
                        pass
            _reap()
            if not alive:
                return
            time.sleep(0.05)


def _reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
