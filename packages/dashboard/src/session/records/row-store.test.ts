import type { TimelinePage, TimelineRow } from "@debug-bridge/protocol";
import { expect, it, vi } from "vitest";
import { type ReadPage, RowStore } from "./row-store.js";

const row = (sequence: number): TimelineRow => ({
  ...{ sequence, at: sequence, type: "console", kind: "console", level: "info", text: `line ${sequence}` },
  ...{ isEffect: false, effects: { all: 0, requests: 0, errors: 0 } },
});

/** A timeline of so many records, each with the number of its row. */
function timeline(length: number) {
  const state = { total: length, requests: [] as unknown[] };
  const read: ReadPage = async (start, limit) => {
    state.requests.push(start);
    const { total } = state;
    const offset =
      start === "end"
        ? Math.max(0, total - limit)
        : "offset" in start
          ? start.offset
          : Math.max(0, start.around - 60);
    const rows = Array.from({ length: Math.min(limit, total - offset) }, (_, i) => row(offset + i));
    const info = { complete: true, progress: 1, records: total, first: 0, last: total - 1, generation: 1 };
    return { ...info, total, offset, rows } satisfies TimelinePage;
  };
  return { state, read };
}

it("reads only the rows that are shown, and those of another place when it is scrolled there", async () => {
  const { state, read } = timeline(1_000_000);
  const store = new RowStore(read, { follow: false });
  store.show(0, 40);
  await vi.waitFor(() => expect(store.row(39)?.sequence).toBe(39));
  expect(store.row(200)).toBeUndefined();
  store.show(500_000, 500_040);
  await vi.waitFor(() => expect(store.row(500_039)?.sequence).toBe(500_039));
  expect(state.requests).toEqual([{ offset: 0 }, { offset: 499_970 }]);
});

it("follows the newest rows, and stays where it is when it does not follow", async () => {
  const { state, read } = timeline(500);
  const store = new RowStore(read, { follow: true });
  store.refresh();
  await vi.waitFor(() => expect(store.row(499)?.sequence).toBe(499));
  state.total = 600;
  store.refresh();
  await vi.waitFor(() => expect(store.row(599)?.sequence).toBe(599));
  store.follow(false);
  store.show(480, 510);
  state.total = 700;
  store.refresh();
  await vi.waitFor(() => expect(store.info?.total).toBe(700));
  expect(store.row(480)?.sequence).toBe(480);
  expect(store.row(699)).toBeUndefined();
});

it("finds the place of a record that is far away", async () => {
  const { read } = timeline(10_000);
  const store = new RowStore(read, { follow: false });
  expect(await store.locate(7_000)).toBe(7_000);
  expect(store.row(7_000)?.sequence).toBe(7_000);
});
