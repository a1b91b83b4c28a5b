import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHUNK_BYTES } from "../limits.js";
import { chunkSchema } from "../schema/chunk.js";
import { ChunkJoiner, splitFrame } from "./chunks.js";

describe("chunks", () => {
  it("restore any frame exactly", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }),
        fc.integer({ min: 2, max: 40 }),
        (text, size) => {
          const joiner = new ChunkJoiner(10_000);
          const frames = splitFrame(text, "c", size);
          if (text.length <= size) {
            expect(frames).toEqual([text]);
            return;
          }
          const results = frames.map((frame) => joiner.add(chunkSchema.parse(JSON.parse(frame))));
          expect(results.slice(0, -1).every((result) => result === undefined)).toBe(true);
          expect(results.at(-1)).toBe(text);
        },
      ),
    );
  });

  it("are used above 200 KB and not below", () => {
    expect(splitFrame("x".repeat(CHUNK_BYTES), "c")).toHaveLength(1);
    expect(splitFrame("x".repeat(CHUNK_BYTES + 1), "c")).toHaveLength(2);
  });

  it("out of order, or of a message that never ends, are refused, and their memory is freed", () => {
    const joiner = new ChunkJoiner(100);
    const chunk = { type: "chunk", chunkId: "c", index: 1, total: 3, data: "x" } as const;
    expect(() => joiner.add(chunk)).toThrow("out of order");
    const large = { ...chunk, index: 0, data: "x".repeat(101) };
    expect(() => joiner.add(large)).toThrow("exceed");
    expect(joiner.add({ ...chunk, index: 0, total: 1, data: "x".repeat(100) })).toHaveLength(100);
  });
});
