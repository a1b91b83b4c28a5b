import { BridgeError } from "@debug-bridge/protocol";
import { wires } from "@debug-bridge/protocol/schemas";
import { parseInstruction, printInstruction, StreamSplitter } from "@debug-bridge/runner";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryOf } from "../support/machine/zod-arbitrary.js";
import { fuzz, testTimeoutMs } from "./support/settings.js";
import { awkwardString, rawText } from "./support/text.js";

const { schema } = wires["browser-action.instruction"];
const valid = arbitraryOf(schema).filter((value) => schema.safeParse(value).success);
/** Spaces around a value are no part of it, except in what is typed or run. */
const isTrimmed = (value: unknown): boolean =>
  Object.values(value as object).every((field) => typeof field !== "string" || field.trim() === field);
const MAX_PARSE_MS = 1_000;

const FIELDS = [
  "type",
  "action",
  "url",
  "targets",
  "text",
  "code",
  "xRange",
  "ref",
  "__proto__",
  "constructor",
  "nothing",
];
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const value = fc.oneof(
  fc.constantFrom(
    "click",
    "navigate",
    "start",
    "http://localhost:3000/",
    '{"min": 1, "max": 2}',
    "e12",
    "&#x110000;",
    "&#0;",
  ),
  awkwardString,
  awkwardString.map(escaped),
  awkwardString.map((text) => `<![CDATA[${text}]]>`),
);
const element = fc
  .tuple(fc.oneof(fc.constantFrom(...FIELDS), awkwardString), value)
  .map(([name, text]) => `<${name}>${text}</${name}>`);
const attributes = fc
  .array(fc.tuple(fc.constantFrom(...FIELDS), value))
  .map(
    (pairs) => `<browser_action ${pairs.map(([name, text]) => `${name}="${escaped(text)}"`).join(" ")} />`,
  );
const xml = fc.oneof(
  rawText,
  attributes,
  fc.array(element, { maxLength: 5 }).map((parts) => parts.join("")),
  fc.array(element, { maxLength: 5 }).map((parts) => `<browser_action>${parts.join("\n")}</browser_action>`),
  fc.constantFrom(
    "<!DOCTYPE x [<!ENTITY a 'b'>]><type>&a;</type>",
    "<a>".repeat(400),
    "<![CDATA[".repeat(2_000),
    "<!--".repeat(5_000),
  ),
  fc.tuple(fc.array(element, { maxLength: 4 }), fc.nat()).map(([parts, at]) => {
    const text = parts.join("");
    return text.slice(0, at % (text.length + 1));
  }),
);

describe("browser_action instructions", () => {
  it(
    "parse to a valid instruction or throw an error with a form that parses",
    { timeout: testTimeoutMs },
    () =>
      fuzz(
        xml,
        600,
        (text) => {
          const cpuBefore = process.cpuUsage();
          try {
            expect(schema.safeParse(parseInstruction(text)).success).toBe(true);
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(BridgeError);
            const { code, details } = thrown as BridgeError;
            expect(code, String((thrown as Error).stack)).not.toBe("internal");
            expect(() => parseInstruction(String(details?.corrected))).not.toThrow();
          }
          expect(process.cpuUsage(cpuBefore).user / 1_000).toBeLessThan(MAX_PARSE_MS);
        },
        0.5,
      ),
  );

  it("come back unchanged after they were printed", { timeout: testTimeoutMs }, () =>
    fuzz(
      valid.filter(isTrimmed),
      200,
      (input) => {
        const instruction = schema.parse(input) as Parameters<typeof printInstruction>[0];
        expect(parseInstruction(printInstruction(instruction))).toEqual(instruction);
      },
      0.25,
    ),
  );

  it("are cut out of a stream in the same way, whatever its parts are", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.tuple(fc.array(xml, { maxLength: 4 }), fc.integer({ min: 1, max: 50 })),
      100,
      ([texts, size]) => {
        const stream = texts.join(" ");
        const split = (partSize: number): string[] => {
          const splitter = new StreamSplitter();
          const pieces: string[] = [];
          for (let at = 0; at < stream.length; at += partSize)
            pieces.push(...splitter.push(stream.slice(at, at + partSize)));
          return [...pieces, ...splitter.end()];
        };
        expect(split(size)).toEqual(split(stream.length + 1));
      },
      0.25,
    ),
  );
});
