# SPDX-License-Identifier: MIT
"""Decodes the golden messages of proto/vectors, written from proto/FRAMES.md and proto/codec_tables.json alone.

    python3 frames_decoder.py PROTO

PROTO is the folder `proto`. Prints the decoded messages, and stops with status 1 at the first message that differs from
its description. Plain Python 3 without packages: it proves that the document is enough to write a decoder in another
language. It is not meant to be fast.
"""
import json
import os
import struct
import sys

MISSING = -1


def signed(v):
    """v modulo 2**32, as a two's complement i32."""
    v &= 0xFFFFFFFF
    return v - (1 << 32) if v >> 31 else v


def f32(v):
    return struct.unpack("<f", struct.pack("<f", v))[0]


def clamp(v, most):
    return max(-most, min(most, v))


# ---- messages --------------------------------------------------------------------------------------------------------

class Message:
    """The header of a binary message, and the bytes behind it."""

    def __init__(self, data):
        (self.type, self.coding, self.flags, self.epoch, self.tick, self.first, self.count,
         self.step) = struct.unpack_from("<BBHIQIIf", data)
        self.baselines = list(data[28:32])
        self.payload = data[32:]
        assert len(data) % 4 == 0, "the length is a multiple of 4"
        self.ranges = None
        if self.type == 1 and self.flags & 1:
            (n,) = struct.unpack_from("<I", self.payload)
            self.ranges = [struct.unpack_from("<II", self.payload, 4 + 8 * i) for i in range(n)]
            self.payload = self.payload[4 + 8 * n:]
            assert sum(count for _, count in self.ranges) == self.count

    is_keyframe = property(lambda self: bool(self.flags & 4))
    is_partial = property(lambda self: bool(self.flags & 8))
    is_rest = property(lambda self: bool(self.flags & 16))


def decode_raw(message):
    return list(struct.unpack("<%df" % (3 * message.count), message.payload[:12 * message.count]))


def decode_grid(message, counts):
    """q of all particles, x y z x y z …; `counts` of each object or range."""
    out, at, payload = [], 0, message.payload
    for count in counts:
        done = 0
        while done < count:
            least = struct.unpack_from("<iii", payload, at)
            bits, n = payload[at + 12:at + 15], payload[at + 15] + 1
            assert n == min(128, count - done)
            at += 16
            planes = []
            for axis in range(3):
                words = (n * bits[axis] + 31) // 32
                number = int.from_bytes(payload[at:at + 4 * words], "little")
                mask = (1 << bits[axis]) - 1
                planes.append([signed(least[axis] + (number >> (bits[axis] * i) & mask)) for i in range(n)])
                at += 4 * words
            for i in range(n):
                out += [planes[0][i], planes[1][i], planes[2][i]]
            done += n
    assert at == len(payload), "nothing is left over"
    return out


# ---- links -----------------------------------------------------------------------------------------------------------

def lattice_links(i, columns, rows):
    row, column = divmod(i, columns)
    left, right, up, down = column > 0, column + 1 < columns, row > 0, row + 1 < rows
    there = [(left, -1), (up, -columns), (up and left, -columns - 1), (up and right, -columns + 1),
             (right, 1), (down, columns), (down and right, columns + 1), (down and left, columns - 1)]
    return [i + way if is_there else MISSING for is_there, way in there]


def nearest(i, neighbours):
    below = sorted((j for j in neighbours if j < i), reverse=True)[:4]
    above = sorted(j for j in neighbours if j > i)[:4]
    pad = lambda links: links + [MISSING] * (4 - len(links))
    return pad(below) + pad(above)


def links_of(thing):
    """Four links down and four up of each particle of an object."""
    count, kind = thing["particles"], thing["kind"]
    lattice = thing["columns"] * thing["rows"] if kind == "cloth" else 0
    out = [lattice_links(i, thing["columns"], thing["rows"]) for i in range(lattice)]
    reach = {"cloth": 2, "rope": 2, "body": 3}.get(kind, 0)
    neighbours = [set() for _ in range(count)]
    for i in range(count):
        neighbours[i].update(j for j in range(max(0, i - reach), min(count, i + reach + 1)) if j != i)
    if kind in ("mesh", "plant", "ragdoll", "soft"):
        corners = thing["triangles"]
        for t in range(0, len(corners), 3):
            for k in range(3):
                a, b = corners[t + k], corners[t + (k + 1) % 3]
                if a != b:
                    neighbours[a].add(b)
                    neighbours[b].add(a)
    return out + [nearest(i, neighbours[i]) for i in range(lattice, count)]


# ---- the payload of coding 2 -----------------------------------------------------------------------------------------

class Reader:
    def __init__(self, payload):
        n, *self.state = struct.unpack_from("<IIII", payload)
        assert all(1 << 15 <= state < 1 << 31 for state in self.state)
        self.words = list(struct.unpack_from("<%dH" % n, payload, 16))
        self.word = 0
        rest = payload[16 + 4 * ((n + 1) // 2):]
        self.raw, self.raw_bits, self.bit = int.from_bytes(rest, "little"), 8 * len(rest), 0

    def bits(self, count):
        value = self.raw >> self.bit & ((1 << count) - 1)
        self.bit += count
        assert self.bit <= self.raw_bits, "the raw bits are not used up too early"
        return value

    def golomb(self, order):
        zeros = 0
        while self.bits(1) == 0:
            zeros += 1
        assert zeros + order <= 31
        return ((1 << zeros) - 1 << order) + self.bits(zeros + order)

    def signed_golomb(self, order):
        v = self.golomb(order)
        return -(v + 1) // 2 if v & 1 else v // 2

    def symbol(self, axis, starts):
        x = self.state[axis]
        slot = x & 4095
        ends = starts[1:] + [4096]
        k = next(k for k in range(16) if starts[k] <= slot < ends[k])
        x = (ends[k] - starts[k]) * (x >> 12) + slot - starts[k]
        if x < 1 << 15:
            x = x << 16 | self.words[self.word]
            self.word += 1
        self.state[axis] = x
        return k

    def is_over(self):
        return (self.word == len(self.words) and self.raw_bits - self.bit < 32 and self.raw >> self.bit == 0
                and self.state == [1 << 15] * 3)


def own_weights(reader):
    linear = [[reader.signed_golomb(4) for _ in range(8)] for _ in range(3)]
    length = [clamp(reader.signed_golomb(9), 1 << 16) for _ in range(4)]
    return {"linear": linear, "length": length, "shift": min(reader.bits(5), 20)}


class FrameDecoder:
    """One frame of coding 2, object by object, from at most three frames before it."""

    def __init__(self, message, tables, baselines):
        self.reader = Reader(message.payload)
        self.tables = tables
        self.x = baselines  # x1, x2, x3: lists of q by particle of the stream
        self.own = None
        self.last = [1, 1, 1]    # magnitude of the residual decoded before, by axis
        self.before = [0, 0, 0]  # position decoded before

    def object(self, thing, start):
        """The q of an object, whose particles begin at `start` in the planes of the baselines."""
        reader, count = self.reader, thing["particles"]
        self.old = [plane[start:start + count] for plane in self.x]
        mode = reader.bits(2)
        if mode == 0:
            assert self.old, "no object of a keyframe is still"
            return [list(p) for p in self.old[0]]
        quiet = count >= 48 and reader.bits(1) == 1
        self.starts = self.tables["starts"]["quiet" if quiet else "restless"]
        self.bases = self.bases_of(thing)
        if mode == 3:
            self.own = own_weights(reader)
        kind = "body" if thing["kind"] in ("body", "particles") else "sheet"
        weights = self.tables["weights"][len(self.old)][kind] if mode == 1 else self.own
        self.links = links_of(thing)
        self.q = [[0, 0, 0] for _ in range(count)]
        self.e = [[0, 0, 0] for _ in range(count)]
        self.magnitude = [[0, 0, 0] for _ in range(count)]
        for i in range(count):
            self.particle(i, weights)
        return self.q

    def bases_of(self, thing):
        cloth = thing["kind"] == "cloth" and thing["columns"] >= 2 and thing["rows"] >= 2
        if not (cloth and thing["particles"] >= 48 and len(self.old) == 3) or self.reader.bits(1) == 0:
            return []
        hexagonal = self.reader.bits(1) == 1
        spacing = self.reader.bits(28)
        assert spacing >= 256
        return own_motion(self.old, thing["columns"], thing["rows"], spacing, hexagonal)

    def particle(self, i, weights):
        links = self.links[i]
        base, linear = [0] * 3, [0] * 3
        for axis in range(3):
            base[axis], terms = self.terms_alone(i, axis) if not self.old else self.terms(i, axis)
            linear[axis] = signed(sum(w * t for w, t in zip(weights["linear"][axis], terms)))
        total = list(linear)
        for k in range(4 if self.old else 0):
            if links[k] != MISSING and weights["length"][k] != 0:
                self.keep_length(i, links[k], weights["length"][k], weights["shift"], base, linear, total)
        for axis in range(3):
            full = signed(total[axis] + 128)
            fraction = (full & 255) - 128
            residual = self.residual(links, axis, fraction)
            self.q[i][axis] = signed(base[axis] + (full >> 8) + residual)
            self.e[i][axis] = signed(self.q[i][axis] - base[axis])
            self.magnitude[i][axis] = self.last[axis] = min(abs(residual), 65535)
            self.before[axis] = self.q[i][axis]

    def stand_ins(self, links):
        a, b, c, d = links[:4]
        a, b = (b if a == MISSING else a), (a if b == MISSING else b)
        return a, b, (b if c == MISSING else c), (b if d == MISSING else d)

    def terms(self, i, axis):
        old, links, count = [[p[axis] for p in plane] for plane in self.old], self.links[i], len(self.old)
        a, b, c, d = (0 if j == MISSING else self.e[j][axis] for j in self.stand_ins(links))
        place = lambda j: old[0][j]
        velocity = lambda j: old[0][j] - old[1][j]
        acceleration = lambda j: old[0][j] - 2 * old[1][j] + old[2][j]
        near = lambda f: sum(f(links[k]) - f(i) for k in (0, 1, 4, 5) if links[k] != MISSING)
        far = lambda f: sum(f(links[k]) - f(i) for k in (2, 3, 6, 7) if links[k] != MISSING)
        if count == 1:
            base, terms = place(i), [0, c, a, b, near(place), d, far(place), 0]
        elif count == 2:
            base, terms = 2 * old[0][i] - old[1][i], [velocity(i), c, a, b, near(velocity), d, far(velocity), 0]
        else:
            base = 2 * old[0][i] - old[1][i]
            terms = [velocity(i), acceleration(i), a, b, near(velocity), near(acceleration), far(velocity),
                     far(acceleration)]
        if i < len(self.bases):
            base = self.bases[i][axis]
        return signed(base), [signed(t) for t in terms]

    def terms_alone(self, i, axis):
        at = lambda j: self.q[j][axis]
        of = lambda j, k: MISSING if j == MISSING else self.links[j][k]
        difference = lambda p, q: 0 if MISSING in (p, q) else at(p) - at(q)
        a, b, c, d = self.links[i][:4]
        terms = [0 if a == MISSING else difference(b, c), difference(a, of(a, 0)), difference(d, b),
                 difference(b, of(b, 1)) - difference(c, of(c, 1)), difference(c, of(c, 0)),
                 difference(b, of(b, 1)) if a == MISSING else 0, 0, 0]
        base = at(a) if a != MISSING else at(b) if b != MISSING else self.before[axis]
        return base, [signed(t) for t in terms]

    def keep_length(self, i, j, weight, shift, base, linear, total):
        x1, x2 = self.old[0], self.old[0] if len(self.old) == 1 else self.old[1]
        ahead = [signed(4 * signed(base[axis] - self.q[j][axis]) + (signed(linear[axis] + 32) >> 6))
                 for axis in range(3)]
        length = 8 * sum((x1[i][axis] - x1[j][axis]) ** 2 + (x2[i][axis] - x2[j][axis]) ** 2 for axis in range(3))
        off = clamp(signed(length - sum(v * v for v in ahead)) >> shift, 1 << 14)
        share = clamp(signed(off * weight + 512) >> 10, 1 << 12)
        for axis in range(3):
            total[axis] = signed(total[axis] + (signed(clamp(ahead[axis], 1 << 17) * share + 32) >> 6))

    def residual(self, links, axis, fraction):
        a, b, c, d = self.stand_ins(links)
        if a == MISSING:
            s = 6 * self.last[axis]
        else:
            m = lambda j: self.magnitude[j][axis]
            s = 2 * m(a) + 2 * m(b) + m(c) + m(d)
        low = 0 if s < 16 else s.bit_length() - 1 - 3
        row = 4 * s + min(abs(fraction) >> 5, 3) if s < 16 else 64 + (s >> (s.bit_length() - 1 - 2) & 3)
        k = self.reader.symbol(axis, self.starts[row])
        c = k - 7
        if k == 15:
            negative = self.reader.bits(1) == 1
            c = self.reader.golomb(2) + 8
            c = -c if negative else c
        if low > 0:
            c = signed((c << low) + self.reader.bits(low) - (1 << (low - 1)))
        return signed(-c if fraction < 0 else c)


# ---- the cloth's own motion ------------------------------------------------------------------------------------------

def sticks_of(columns, rows, hexagonal):
    """(i, j, whether it is a diagonal of a square), in the order in which they are relaxed."""
    across, aslant = [], []
    for row in range(rows - 1):
        if not hexagonal or row % 2 == 1:
            across += [(row, column, row + 1, column + 1) for column in range(columns - 1)]
        if not hexagonal or row % 2 == 0:
            aslant += [(row, column, row + 1, column - 1) for column in range(1, columns)]
    level = [(row, column, row, column + 1) for row in range(rows) for column in range(columns - 1)]
    down = [(row, column, row + 1, column) for row in range(rows - 1) for column in range(columns)]
    out = []
    for sticks, by_row, long in ((across, True, True), (aslant, True, True), (level, False, False), (down, True, False)):
        for parity in (0, 1):
            out += [(columns * r + c, columns * s + d, long and not hexagonal) for r, c, s, d in sticks
                    if (r if by_row else c) % 2 == parity]
    return out


def own_motion(old, columns, rows, spacing, hexagonal):
    count = columns * rows
    origin = old[0][0]
    length = f32(f32(spacing) / 256)
    straight = f32(1 / f32(length * length))
    p = [[f32(signed(old[0][i][axis] - origin[axis])) for axis in range(3)] for i in range(count)]
    before = [[f32(p[i][axis] - f32(f32(signed(5 * old[0][i][axis] - 6 * old[1][i][axis] + old[2][i][axis])) / 32))
               for axis in range(3)] for i in range(count)]
    held = [i for i in range(count) if old[0][i] == old[1][i] == old[2][i]]
    sticks = sticks_of(columns, rows, hexagonal)
    for _ in range(8):
        ahead = [[f32(v + f32(v - w)) for v, w in zip(p[i], before[i])] for i in range(count)]
        before, p = p, ahead
        for i, j, is_diagonal in sticks:
            delta = [f32(w - v) for v, w in zip(p[i], p[j])]
            squared = f32(f32(f32(delta[0] * delta[0]) + f32(delta[1] * delta[1])) + f32(delta[2] * delta[2]))
            t = f32(2 - f32(squared * (straight / 2 if is_diagonal else straight)))
            t = t if t > 0 else 0.0
            s = f32(f32(f32(t * t) - 1) * 0.125)
            p[i] = [f32(v - f32(s * d)) for v, d in zip(p[i], delta)]
            p[j] = [f32(v + f32(s * d)) for v, d in zip(p[j], delta)]
        for i in held:
            p[i] = list(before[i])
    return [[base_of(p[i][axis], origin[axis]) for axis in range(3)] for i in range(count)]


def base_of(p, origin):
    v = f32(p + 0.5)
    return origin if abs(v) > 1 << 30 else signed(origin + (v // 1).__int__())


# ---- streams ---------------------------------------------------------------------------------------------------------

class Stream:
    """The state that a viewer keeps of one subscription's frames."""

    def __init__(self, things, tables):
        self.things = [thing for thing in things if thing["particles"] > 0]
        self.starts = [sum(thing["particles"] for thing in self.things[:k]) for k in range(len(self.things))]
        self.tables = tables
        self.frames = {}  # q by tick, the last four
        self.rest = {}    # q of objects that came to rest, by place in the list

    def places(self, message):
        """Which objects are in a message."""
        if message.ranges is None:
            return range(len(self.things))
        firsts = {first: count for first, count in message.ranges}
        inside = lambda thing: any(first <= thing["first"] < first + count for first, count in firsts.items())
        return [k for k, thing in enumerate(self.things) if inside(thing)]

    def decode(self, message):
        """q of every particle, or None of a message that only says where things rest."""
        ticks = [message.tick - d for d in message.baselines[:3] if d > 0]
        assert message.is_keyframe == (not ticks)
        if message.coding == 1:
            whole = decode_grid(message, [self.things[k]["particles"] for k in self.places(message)])
            whole = [whole[i:i + 3] for i in range(0, len(whole), 3)]
        decoder = FrameDecoder(message, self.tables, [self.frames[tick] for tick in ticks]) if message.coding == 2 else None
        found = {}
        for k in self.places(message):
            count = self.things[k]["particles"]
            if decoder:
                found[k] = decoder.object(self.things[k], self.starts[k])
            else:
                found[k], whole = whole[:count], whole[count:]
        assert decoder is None or decoder.reader.is_over(), "all of the payload is used up"
        if message.is_rest:
            self.rest.update(found)
            return None
        frame = [p for k in range(len(self.things)) for p in (found[k] if k in found else self.rest[k])]
        self.frames[message.tick] = frame
        for tick in sorted(self.frames)[:-4]:
            del self.frames[tick]
        return frame


# ---- the golden messages ---------------------------------------------------------------------------------------------

def check_stream(folder, name, tables):
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
        expected = json.load(file)
    with open(os.path.join(folder, name + ".bin"), "rb") as file:
        data = file.read()
    stream, at, previous = Stream(expected["objects"], tables), 0, None
    for number, told in enumerate(expected["messages"]):
        (length,) = struct.unpack_from("<I", data, at)
        message = Message(data[at + 4:at + 4 + length])
        at += 4 + length
        assert message.tick == told["tick"]
        frame = stream.decode(message)
        assert (frame is None) == bool(told.get("rest")), "%s, message %d: rest" % (name, number)
        if frame is not None:
            flat = [v for p in frame for v in p]
            assert flat == told["grid"], "%s, message %d: decoded otherwise" % (name, number)
    assert at == len(data)
    return len(expected["messages"])


def check_message(folder, name):
    with open(os.path.join(folder, name + ".json"), encoding="utf-8") as file:
        expected = json.load(file)
    with open(os.path.join(folder, name + ".bin"), "rb") as file:
        message = Message(file.read())
    header = expected["header"]
    assert [message.type, message.coding, message.flags, message.epoch, message.tick, message.first, message.count,
            message.baselines] == [header[key] for key in
                                   ("type", "coding", "flags", "epoch", "tick", "first", "count", "baselines")], name
    assert message.step == f32(header["step"]), name
    if message.type == 2:
        (length,) = struct.unpack_from("<I", message.payload)
        assert json.loads(message.payload[4:4 + length].decode("utf-8")) == expected["text"], name
        words = struct.unpack("<%dI" % ((len(message.payload) - 4 - length) // 4), message.payload[4 + length:])
        assert list(words) == expected["words"], name
        return
    if message.coding == 0:
        decoded = decode_raw(message)
    else:
        decoded = [f32(q * message.step) for q in decode_grid(message, [count for _, count in expected["objects"]])]
    assert decoded == [f32(v) for v in expected["decoded"]], "%s: decoded otherwise" % name


def names_in(folder):
    return sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".bin"))


def main(proto):
    with open(os.path.join(proto, "codec_tables.json"), encoding="utf-8") as file:
        tables = json.load(file)
    vectors = os.path.join(proto, "vectors")
    for name in names_in(vectors):
        check_message(vectors, name)
    streams = names_in(os.path.join(vectors, "streams"))
    messages = sum(check_stream(os.path.join(vectors, "streams"), name, tables) for name in streams)
    print("%d golden messages and %d streams of %d messages decoded" % (len(names_in(vectors)), len(streams), messages))


if __name__ == "__main__":
    main(sys.argv[1])
