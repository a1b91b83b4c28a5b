import fc from "fast-check";
import { expect, it } from "vitest";
import { FeedParser } from "./feed-parser.js";

it("finds the same events however the stream is cut", () => {
  const stream = ': ping\n\nid: 1\ndata: {"a":1}\n\ndata: {"b":"x"}\n\n';
  fc.assert(
    fc.property(fc.array(fc.nat({ max: stream.length }), { maxLength: 8 }), (cuts) => {
      const ends = [...cuts.sort((a, b) => a - b), stream.length];
      const parser = new FeedParser();
      const found = ends.flatMap((end, i) => parser.push(stream.slice(ends[i - 1] ?? 0, end)));
      expect(found).toEqual([{ a: 1 }, { b: "x" }]);
    }),
  );
});

it("leaves out what is not JSON [RUN-102]", () => {
  const parser = new FeedParser();
  expect(parser.push('data: {"a":1}\n\ndata: {oops\n\ndata: \n\ndata: {"b":2}\n\n')).toEqual([
    { a: 1 },
    { b: 2 },
  ]);
});
