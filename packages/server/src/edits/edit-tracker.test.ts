import type { AppMessage, DevServerEvent, Receipt } from "@debug-bridge/protocol";
import { expect, test } from "vitest";
import { CauseTracker } from "../dispatch/cause-tracker.js";
import { EditTracker } from "./edit-tracker.js";

function stage({ goneFor = 0 } = {}) {
  const records: { type: string; data: unknown; causedBy: number | undefined }[] = [];
  const causes = new CauseTracker();
  const tracker = new EditTracker({
    causes,
    goneFor: () => goneFor,
    record: (type, json, causedBy) => {
      records.push({ type, data: JSON.parse(json), causedBy });
      tracker.onRecord(type, json);
      return records.length;
    },
  });
  const edit = (id: string, file: string, more: object = {}): void =>
    tracker.onReport([{ type: "edit", id, files: [file], outcome: "hot_update", ...more } as DevServerEvent]);
  const effect = (edits: string[], more: object = {}): boolean =>
    tracker.consumes({
      type: "edit_effect",
      edits,
      receipt: { settled: true, durationMs: 5 },
      ...more,
    } as unknown as AppMessage);
  const newest = (): Receipt["edit"] => tracker.results.at(-1)?.receipt.edit;
  const fail = (message: string, file: string): void =>
    tracker.onRecord("error", JSON.stringify({ message, stack: `at x (http://localhost/${file}:1:1)` }));
  return { records, causes, tracker, edit, effect, newest, fail };
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

test("an edit is the cause of what the page reports until its effect is known", () => {
  const { records, causes, edit, effect, newest } = stage();
  edit("a", "src/cart.ts");
  expect(causes.current).toBe(1);
  effect(["a"]);
  expect(causes.current).toBeUndefined();
  expect(records.map(({ type, causedBy }) => [type, causedBy])).toEqual([
    ["edit", undefined],
    ["edit_result", 1],
  ]);
  expect(newest()).toEqual({ files: ["src/cart.ts"], outcome: "hot_update" });
});

test("what a page reports of an edit before the development server does is its effect", () => {
  const { tracker, edit, effect, newest } = stage();
  effect(["a"], { receipt: { settled: true, durationMs: 7 } });
  edit("a", "src/cart.ts");
  expect(tracker.results.at(-1)?.receipt).toMatchObject({ durationMs: 7 });
  expect(newest()).toEqual({ files: ["src/cart.ts"], outcome: "hot_update" });
  // A page that was loaded again knows no ids: it means edits that were announced to it before.
  effect([], { reloaded: true });
  edit("b", "src/cart.ts", { outcome: "full_reload", at: Date.now() + 1_000 });
  expect(tracker.hasOpen(() => true)).toBe(true);
  edit("c", "src/total.ts", { outcome: "full_reload", at: Date.now() - 1_000 });
  expect(newest()).toEqual({ files: ["src/total.ts"], outcome: "full_reload" });
});

test("a page that is loaded again late, because of an edit whose result was given, says nothing about the next one", () => {
  const { tracker, edit, effect, newest } = stage();
  edit("broken", "src/cart.ts", { outcome: "full_reload" });
  effect([], { reloaded: true });
  edit("fix", "src/cart.ts", { outcome: "full_reload" });
  effect(["broken"], { reloaded: true });
  expect(tracker.results).toHaveLength(1);
  effect(["fix"], { reloaded: true });
  expect(tracker.results).toHaveLength(2);
  expect(newest()).toMatchObject({ outcome: "full_reload" });
});

test("edits that the page reports together are one result, which says how many they were", () => {
  const { tracker, edit, effect, newest } = stage();
  edit("a", "src/cart.ts");
  edit("b", "src/total.ts");
  effect(["a", "b"]);
  expect(tracker.results).toHaveLength(1);
  expect(newest()).toMatchObject({ files: ["src/cart.ts", "src/total.ts"], saves: 2 });
});

test("edits that the page reports one by one are kept apart", () => {
  const { tracker, edit, effect } = stage();
  edit("a", "src/cart.ts");
  edit("b", "src/total.ts");
  effect(["a"]);
  effect(["b"]);
  expect(tracker.results.map(({ files }) => files)).toEqual([["src/cart.ts"], ["src/total.ts"]]);
});

test("a page that was loaded again reports every open edit as a full reload", () => {
  const { edit, effect, newest } = stage();
  edit("a", "src/cart.ts");
  effect([], { reloaded: true, lost: ['field "Name"'] });
  expect(newest()).toMatchObject({ outcome: "full_reload", lost: ['field "Name"'] });
});

test("an edit that could not be built is a build error, including when the page was loaded again", () => {
  const { edit, effect, newest } = stage();
  edit("a", "src/cart.ts", { outcome: "build_error", error: { message: "Unexpected token" } });
  effect([], { reloaded: true });
  expect(newest()).toMatchObject({ outcome: "build_error", error: { message: "Unexpected token" } });
});

test("elements that an edit created again are counted instead of listed", () => {
  const { tracker, edit, effect, newest } = stage();
  edit("a", "src/cart.ts");
  const pay = (ref: string) => ({ ref, role: "button", name: "Pay" });
  const receipt = { settled: true, durationMs: 5, appeared: [pay("e9")], vanished: [pay("e1")] };
  effect(["a"], { receipt });
  expect(newest()).toMatchObject({ outcome: "hot_update", recreated: 1 });
  expect(tracker.results.at(-1)?.receipt).not.toHaveProperty("appeared");
});

test("an error of loaded code is gone when its file was replaced and it did not come again", async () => {
  const { edit, effect, newest, fail } = stage();
  edit("a", "src/cart.ts");
  fail("no price", "src/cart.ts");
  effect(["a"]);
  await later();
  edit("b", "src/other.ts");
  effect(["b"]);
  expect(newest()).not.toHaveProperty("gone");
  await later();
  edit("c", "src/cart.ts");
  effect(["c"]);
  expect(newest()).toMatchObject({ gone: ["no price"] });
});

test("an error that came again, and one of a click, are not gone", async () => {
  const { tracker, edit, effect, newest, fail } = stage();
  edit("a", "src/cart.ts");
  fail("no price", "src/cart.ts");
  effect(["a"]);
  tracker.onRecord("command", '{"type":"click"}');
  await new Promise((resolve) => setTimeout(resolve, 600));
  fail("clicked too often", "src/cart.ts");
  await new Promise((resolve) => setTimeout(resolve, 600));
  edit("b", "src/cart.ts");
  fail("no price", "src/cart.ts");
  effect(["b"]);
  expect(newest()).not.toHaveProperty("gone");
});

test("an edit that no page can report is done at once", () => {
  const { tracker, edit, newest } = stage({ goneFor: 60_000 });
  edit("a", "src/cart.ts");
  expect(newest()).toMatchObject({ unreported: true });
  expect(tracker.results).toHaveLength(1);
  edit("b", "notes.txt", { outcome: "unused" });
  expect(newest()).toEqual({ files: ["notes.txt"], outcome: "unused" });
});

test("an effect without an open edit changes nothing, and is no separate record", () => {
  const { records, tracker, effect } = stage();
  expect(effect(["unknown"])).toBe(true);
  expect(effect([], { reloaded: true })).toBe(true);
  expect(records).toEqual([]);
  expect(tracker.results).toEqual([]);
});

test("no end of an address keeps a request out of the records", () => {
  const { tracker } = stage();
  const network = (url: string): AppMessage => ({ type: "network", url }) as unknown as AppMessage;
  expect(tracker.consumes(network("http://localhost/shop.js#debug-bridge"))).toBe(false);
  expect(tracker.consumes(network("http://localhost/shop.js"))).toBe(false);
});
