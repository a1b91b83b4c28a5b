/**
 * Joins still WebP pictures of one size to one that moves. The container is simple: each picture keeps its own data and
 * gets a header with the time that it is shown.
 *
 * @param {readonly { webp: Buffer; ms: number }[]} frames
 * @returns {Buffer}
 */
export function animatedWebp(frames) {
  const stills = frames.map(({ webp }) => readStill(webp));
  const [{ width, height }] = stills;
  const canvas = Buffer.concat([Buffer.from([0x02, 0, 0, 0]), uint24(width - 1), uint24(height - 1)]);
  // A white background, and for ever.
  const animation = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0]);
  const parts = stills.map((still, i) => {
    if (still.width !== width || still.height !== height)
      throw new Error(`picture ${i} is ${still.width}x${still.height}, and the first ${width}x${height}`);
    const place = [uint24(0), uint24(0), uint24(width - 1), uint24(height - 1), uint24(frames[i].ms)];
    // Each picture replaces the one before.
    return chunk("ANMF", Buffer.concat([...place, Buffer.from([0x02]), still.data]));
  });
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    chunk("VP8X", canvas),
    chunk("ANIM", animation),
    ...parts,
  ]);
  return chunk("RIFF", body);
}

/** The size of a lossy picture, and its chunk with the data. */
function readStill(webp) {
  for (let at = 12; at < webp.length; ) {
    const size = webp.readUInt32LE(at + 4);
    if (webp.toString("latin1", at, at + 4) === "VP8 ") {
      const data = webp.subarray(at, at + 8 + size + (size % 2));
      // After the tag of the frame (3 bytes) and the start code (3 bytes).
      const [width, height] = [data.readUInt16LE(14) & 0x3fff, data.readUInt16LE(16) & 0x3fff];
      return { width, height, data };
    }
    at += 8 + size + (size % 2);
  }
  throw new Error("not a lossy WebP picture");
}

function chunk(name, data) {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function uint24(value) {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
