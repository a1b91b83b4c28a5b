import { expect, it } from "vitest";
import { SseParser } from "./sse-parser.js";

const read = (chunks: readonly string[]): string[] => {
  const parser = new SseParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
};

it("returns the data of every complete event, whatever the chunks", () => {
  const stream =
    ': hello\nid: 7\nevent: x\ndata: {"a":1}\n\ndata: one\ndata:two\n\n\ndata: last\r\n\r\ndata: open';
  const wanted = ['{"a":1}', "one\ntwo", "last"];
  expect(read([stream])).toEqual(wanted);
  expect(read([...stream])).toEqual(wanted);
});
