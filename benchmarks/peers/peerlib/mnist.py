"""The MNIST files in their IDX form."""

import gzip
import os
import shutil
import struct

from peerlib.supervise import PeerError

_MAGIC = {"images": 2051, "labels": 2049}


def find(folder, part, kind):
    """Path of one IDX file; part is `train` or `t10k`, kind `images` or `labels`."""
    form = "idx3" if kind == "images" else "idx1"
    names = [name + end for name in ("%s-%s-%s-ubyte" % (part, kind, form), "%s-%s.%s-ubyte" % (part, kind, form)) for end in ("", ".gz")]
    for name in names:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise PeerError("no %s in %s" % (names[0], folder))


def load(folder, part, rows=None):
    """Images as uint8 of shape (n, 28, 28) and labels as uint8 of shape (n,)."""
    images = _read(find(folder, part, "images"), "images")
    labels = _read(find(folder, part, "labels"), "labels")
    if len(images) != len(labels):
        raise PeerError("%d images but %d labels in %s" % (len(images), len(labels), folder))
    if rows is not None:
        if rows > len(images):
            raise PeerError("%d rows asked for, %s has %d" % (rows, folder, len(images)))
        images, labels = images[:rows], labels[:rows]
    return images, labels


def _read(path, kind):
    import numpy as np

    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as f:
        data = f.read()
    dims = 3 if kind == "images" else 1
    header = struct.unpack(">%dI" % (1 + dims), data[: 4 * (1 + dims)])
    if header[0] != _MAGIC[kind]:
        raise PeerError("%s is no IDX file of %s" % (path, kind))
    return np.frombuffer(data, np.uint8, offset=4 * (1 + dims)).reshape(header[1:])


def write_csv(folder, images, labels, parts=10):
    """The form the original's example reads: a folder of text files, one `label,pixel,...` line a row.

    A folder that holds the same rows already is left as it is.
    """
    mark = os.path.join(folder, ".rows")
    wanted = "%d in %d" % (len(labels), parts)
    if os.path.isfile(mark):
        with open(mark) as f:
            if f.read() == wanted:
                return
        raise PeerError("%s holds other rows: name another folder" % folder)
    if os.path.exists(folder):
        raise PeerError("%s was not written by a peer: name another folder" % folder)
    part = folder.rstrip("/") + ".part"
    shutil.rmtree(part, ignore_errors=True)
    os.makedirs(part)
    text = [str(v) for v in range(256)]
    bounds = [len(labels) * p // parts for p in range(parts + 1)]
    for p in range(parts):
        with open(os.path.join(part, "part-%05d" % p), "w") as f:
            for i in range(bounds[p], bounds[p + 1]):
                f.write(text[labels[i]] + "," + ",".join(map(text.__getitem__, images[i].reshape(-1).tolist())) + "\n")
    with open(os.path.join(part, ".rows"), "w") as f:
        f.write(wanted)
    os.rename(part, folder)
