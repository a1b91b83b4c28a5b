import type { CommandOutcome } from "@debug-bridge/protocol";
import { expect, it } from "vitest";
import { outcomeText, shortOutcomeText } from "./outcome-text.js";

const changed = [{ ref: "e3", role: "textbox", name: "Name", field: "value", before: "", after: "Ada" }];
const filled: CommandOutcome = {
  value: { value: "Ada" },
  receipt: { settled: true, durationMs: 4, changed },
};

it("the text of an outcome shows the value of a field only once", () => {
  expect(outcomeText(filled)).toBe('settled after 4 ms\n~ e3 textbox "Name" value: "" -> "Ada"');
  expect(outcomeText({ ...filled, value: { value: "Ad" } })).toMatch(/^\{"value":"Ad"\}\n/);
  expect(outcomeText({ ...filled, value: { value: "Ada", at: 1 } })).toMatch(/^\{"value":"Ada","at":1\}\n/);
});

it("an outcome in a list is short when only the requested effect happened, and shows all others", () => {
  expect(shortOutcomeText(filled)).toBe('e3 is "Ada"');
  const receipt = { settled: true, durationMs: 4, changed, errors: ["too long"] };
  expect(shortOutcomeText({ ...filled, receipt })).toBe(
    '~ e3 textbox "Name" value: "" -> "Ada"\nerror: too long',
  );
  const box = {
    ref: "e4",
    role: "checkbox",
    name: "Terms",
    field: "checked",
    before: "false",
    after: "true",
  };
  const ticked = (after: string): CommandOutcome => ({
    receipt: { settled: true, durationMs: 4, changed: [{ ...box, after }] },
  });
  expect(shortOutcomeText(ticked("true"))).toBe("e4 is checked");
  expect(shortOutcomeText(ticked("false"))).toBe("e4 is unchecked");
  expect(shortOutcomeText(ticked("mixed"))).toBe('~ e4 checkbox "Terms" checked: "false" -> "mixed"');
  expect(shortOutcomeText({ receipt: { settled: false, durationMs: 4 } })).toBe("not settled after 4 ms");
  expect(shortOutcomeText({ receipt: { settled: true, durationMs: 4 } })).toBe("done");
});
