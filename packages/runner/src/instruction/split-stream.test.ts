import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printInstruction } from "./print.js";
import { StreamSplitter } from "./split-stream.js";

function split(text: string, parts: readonly number[] = []): string[] {
  const splitter = new StreamSplitter();
  const pieces: string[] = [];
  let from = 0;
  for (const at of [...parts.map((part) => part % (text.length + 1)).sort((a, b) => a - b), text.length]) {
    pieces.push(...splitter.push(text.slice(from, at)));
    from = at;
  }
  return [...pieces, ...splitter.end()];
}

describe("a stream of instructions", () => {
  it("is cut at its elements, however it arrives", () => {
    const element = fc.oneof(
      fc.string().map((text) => printInstruction({ type: "type", text })),
      fc.constantFrom(
        `<browser_action action="stop"/>`,
        `<browser_action text="a > b /> </browser_action>" />`,
        `<browser_action><text><![CDATA[</browser_action> <browser_action>]]></text></browser_action>`,
        `<browser_action><!-- </browser_action> --><type>stop</type></browser_action >`,
      ),
    );
    fc.assert(
      fc.property(
        fc.array(element),
        fc.constantFrom("", "\n", "  \r\n"),
        fc.array(fc.nat()),
        (list, gap, parts) => {
          expect(split(list.join(gap), parts)).toEqual(list);
        },
      ),
    );
  });

  it("returns text that is not an instruction as well", () => {
    expect(split("junk <browser_action action='stop'/> more")).toEqual([
      "junk",
      "<browser_action action='stop'/>",
      "more",
    ]);
    expect(split("<browser_action><type>stop\n<browser_action action='stop'/>")).toEqual([
      "<browser_action><type>stop",
      "<browser_action action='stop'/>",
    ]);
  });

  it("uses bounded memory when an element never ends", () => {
    const splitter = new StreamSplitter();
    const pieces: string[] = [];
    for (let i = 0; i < 50; i++)
      pieces.push(...splitter.push(i === 0 ? "<browser_action><text>" : "x".repeat(100_000)));
    expect(pieces).toHaveLength(2);
  });
});
