/** The first 64 primes give the constants of SHA-256: fractional parts of their roots. */
const PRIMES = /* @__PURE__ */ firstPrimes(64);
const START = /* @__PURE__ */ PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = /* @__PURE__ */ Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

/**
 * SHA-256 of a text as hexadecimal digits. It is here because the extension and the hub both need one that answers at
 * once: a browser's own takes another turn, and commands must stay in order.
 */
export function sha256(text: string): string {
  const message = padded(new TextEncoder().encode(text));
  const view = new DataView(message.buffer);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let at = 0; at < message.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + i * 4);
    addBlock(state, words);
  }
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function addBlock(state: Uint32Array, words: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15] as number;
    const y = words[i - 2] as number;
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    words[i] = ((words[i - 16] as number) + s0 + (words[i - 7] as number) + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] as number) + (words[i] as number)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i] as number) + word;
  });
}

/** The message, a one bit, zeros, and its length in bits, in whole blocks of 64 bytes. */
function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(all.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(all.length - 4, bytes.length << 3);
  return all;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(value: number): number {
  return ((value - Math.floor(value)) * 0x1_0000_0000) >>> 0;
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}
