import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter } from "./line-splitter.js";

/** Cuts bytes at some places. */
function chunksOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => (bytes.length === 0 ? 0 : cut % (bytes.length + 1))))];
  const edges = [0, ...places.sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, i) => bytes.subarray(edges[i], end));
}

/** Bytes with many line ends and many that belong to longer characters. */
const bytesArbitrary = fc
  .array(
    fc.oneof(
      fc.constant(Buffer.from("\n")),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
    ),
  )
  .map((parts) => Buffer.concat(parts));

function expected(bytes: Buffer): { text: string; end: number }[] {
  const lines: { text: string; end: number }[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, from)) {
    lines.push({ text: bytes.subarray(from, at).toString("utf8"), end: at + 1 });
    from = at + 1;
  }
  return lines;
}

describe("the line splitter", () => {
  it("yields the same lines and offsets for any chunks of any bytes [ARC-083, ARC-084]", () => {
    fc.assert(
      fc.property(bytesArbitrary, fc.array(fc.nat()), (bytes, cuts) => {
        const splitter = new LineSplitter();
        const lines = chunksOf(bytes, cuts).flatMap((chunk) => splitter.push(chunk));
        expect(lines).toEqual(expected(bytes).map((line) => ({ ...line, cut: false })));
        expect(splitter.position).toBe(bytes.length);
      }),
      { numRuns: 500 },
    );
  });

  it("can start at any offset: the next reader continues where the last one stopped", () => {
    fc.assert(
      fc.property(bytesArbitrary, fc.nat(), (bytes, at) => {
        const all = expected(bytes);
        const first = all.slice(0, at % (all.length + 1));
        const offset = first.at(-1)?.end ?? 0;
        const rest = new LineSplitter(offset).push(bytes.subarray(offset));
        expect([...first, ...rest.map(({ text, end }) => ({ text, end }))]).toEqual(all);
      }),
    );
  });

  it("does not refer to the memory of a reused chunk", () => {
    const splitter = new LineSplitter();
    const chunk = Buffer.from("ab");
    splitter.push(chunk);
    chunk.fill("x");
    expect(splitter.push(Buffer.from("c\n"))[0]?.text).toBe("abc");
  });

  it("keeps only the beginning of a line that is too long, and the next line completely", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 8 }), (cuts) => {
        const splitter = new LineSplitter(0, 4);
        const bytes = Buffer.from("123456789\nok\n1234\n");
        expect(chunksOf(bytes, cuts).flatMap((chunk) => splitter.push(chunk))).toEqual([
          { text: "1234", end: 10, cut: true },
          { text: "ok", end: 13, cut: false },
          { text: "1234", end: 18, cut: false },
        ]);
      }),
    );
  });
});
