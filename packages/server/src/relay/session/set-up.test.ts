import { expect, it } from "vitest";
import { passes, readFilter } from "../targets/target-info.js";
import { ClientSlot } from "../wire/client-slot.js";
import { isPreparing, SetUp } from "./set-up.js";

it("keeps each thing that was set up once, as it is now, in order", () => {
  const setUp = new SetUp();
  setUp.record("Network.enable", {});
  setUp.record("Emulation.setEmulatedMedia", { media: "print" });
  setUp.recordScript("1", { source: "a" });
  setUp.record("Runtime.addBinding", { name: "x" });
  setUp.record("Emulation.setEmulatedMedia", { media: "screen" });
  setUp.record("Network.disable", {});
  setUp.record("Runtime.removeBinding", { name: "x" });
  expect(setUp.all().map(({ method, params }) => [method, params])).toEqual([
    ["Page.addScriptToEvaluateOnNewDocument", { source: "a" }],
    ["Emulation.setEmulatedMedia", { media: "screen" }],
  ]);
  setUp.removeScript("1");
  expect(setUp.all()).toHaveLength(1);
});

it("distinguishes commands that prepare a page from those that need it", () => {
  for (const method of ["Page.enable", "Emulation.setTimezoneOverride", "Fetch.enable"])
    expect(isPreparing(method)).toBe(true);
  for (const method of [
    "Page.navigate",
    "Runtime.evaluate",
    "Emulation.setVirtualTimePolicy",
    "DOM.getDocument",
  ])
    expect(isPreparing(method)).toBe(false);
});

it("uses the first entry of a filter that matches", () => {
  expect(["browser", "tab", "page", "iframe"].filter((type) => passes(readFilter({}), type))).toEqual([
    "page",
    "iframe",
  ]);
  const filter = readFilter({ filter: [{ type: "page", exclude: true }, {}] });
  expect(["tab", "page"].filter((type) => passes(filter, type))).toEqual(["tab"]);
});

it("has one slot, or an unlimited number", () => {
  const single = new ClientSlot("single-active");
  single.check();
  single.occupy("c1", 0);
  expect(() => single.check()).toThrow("c1 is connected");
  expect(single.state()).toMatchObject({
    busy: true,
    activeClientId: "c1",
    connectedAt: "1970-01-01T00:00:00.000Z",
  });
  single.free("c1");
  single.check();
  const many = new ClientSlot("multi-client");
  many.occupy("c1", 0);
  many.check();
  expect(many.state().busy).toBe(false);
});
