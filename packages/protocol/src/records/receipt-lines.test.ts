import { expect, it } from "vitest";
import type { Receipt } from "../schema/receipt.js";
import { receiptLines } from "./receipt-lines.js";

const element = (i: number) => ({ ref: `e${i}`, role: "button", name: `Open ${i}` });

it("lists all that appeared and some of what is gone, with the number of the rest", () => {
  const many = Array.from({ length: 30 }, (_, i) => element(i));
  const receipt: Receipt = { settled: true, durationMs: 4, appeared: many, vanished: many };
  const lines = receiptLines(receipt);
  expect(lines.filter((line) => line.startsWith("+"))).toHaveLength(30);
  expect(lines.filter((line) => line.startsWith("-"))).toEqual([
    '- e0 button "Open 0"',
    '- e1 button "Open 1"',
    '- e2 button "Open 2"',
    "- … and 27 more",
  ]);
  const text = { added: [], removed: ["Article 1", "Article 2", "Article 3"], passing: [] };
  expect(receiptLines({ ...receipt, text }).slice(-2)).toEqual(['- "Article 1"', "- … and 2 more"]);
  expect(receiptLines({ ...receipt, vanished: [], text }).slice(-1)).toEqual(['- "Article 3"']);
});

it("a receipt reports a failed request once, and leaves out the focus ring of the changed element", () => {
  const url = "http://localhost/api/orders";
  const receipt: Receipt = {
    ...{ settled: true, durationMs: 4 },
    console: [
      {
        level: "error",
        text: `Failed to load resource: the server responded with a status of 422 () ${url}`,
      },
      { level: "error", text: "Failed to load resource: net::ERR_FAILED http://localhost/other" },
    ],
    requests: [{ method: "POST", url, status: 422 }],
    changed: [{ ...element(1), field: "value", before: "", after: "Ada" }],
    looks: ['e1 button "Open 1": outline', 'e1 button "Open 1": color'],
  };
  expect(receiptLines(receipt)).toEqual([
    "settled after 4 ms",
    '~ e1 button "Open 1" value: "" -> "Ada"',
    '~ e1 button "Open 1": color',
    "console.error: Failed to load resource: net::ERR_FAILED http://localhost/other",
    `POST ${url} 422`,
  ]);
});

it("shows a focus ring when nothing else happened", () => {
  const receipt: Receipt = { settled: true, durationMs: 4, looks: ['e1 button "Open 1": outline'] };
  expect(receiptLines(receipt)).toEqual(["settled after 4 ms", '~ e1 button "Open 1": outline']);
  const text = { added: ["10 % off"], removed: [], passing: [] };
  expect(receiptLines({ ...receipt, text })).toEqual(["settled after 4 ms", '+ "10 % off"']);
});

it("a receipt reports once that a row disappeared or appeared", () => {
  const row = 'row Order 7 | 12.50 € | ["Delete"]';
  const text = { added: [row], removed: [row, "Order 7 12.50 € Delete", "Order 70 12.50 €"], passing: [] };
  expect(receiptLines({ settled: true, durationMs: 4, text })).toEqual([
    "settled after 4 ms",
    `- "${row}"`,
    '- "Order 70 12.50 €"',
    `+ "${row}"`,
  ]);
});
