import { deflateSync } from "node:zlib";

const ORANGE = [255, 122, 0];
const WHITE = [255, 255, 255];

/** The extension's icon as a PNG: a bridge, two pillars and an arch, on a rounded square. */
export function icon(size) {
  const rows = [];
  for (let y = 0; y < size; y++) {
    const row = [0];
    for (let x = 0; x < size; x++) row.push(...pixel((x + 0.5) / size, (y + 0.5) / size));
    rows.push(Buffer.from(row));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function pixel(x, y) {
  const corner = Math.hypot(Math.max(0, Math.abs(x - 0.5) - 0.3), Math.max(0, Math.abs(y - 0.5) - 0.3));
  if (corner > 0.2) return [0, 0, 0, 0];
  const deck = y > 0.4 && y < 0.52 && x > 0.14 && x < 0.86;
  const distance = Math.hypot(x - 0.5, y - 0.84);
  const arch = y >= 0.5 && y < 0.8 && distance > 0.22 && x > 0.18 && x < 0.82;
  return [...(deck || arch ? WHITE : ORANGE), 255];
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc(body), body.length + 4);
  return framed;
}

function crc(data) {
  let value = 0xffffffff;
  for (const byte of data) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}
