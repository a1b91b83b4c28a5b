import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { DevServer, SavedFiles } from "../dev-server.js";
import { NextEdits } from "./next-edits.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function edits() {
  const saved: SavedFiles[] = [];
  const next = new NextEdits({ saved: (each: SavedFiles) => saved.push(each) } as unknown as DevServer);
  return { saved, next };
}
const update = { kind: "update", isOfServer: true } as const;
const built = (...messages: string[]) =>
  ({ kind: "built", errors: messages.map((message) => ({ message })) }) as const;

it("reports an update, an error, and its fix, each with the file that was saved", () => {
  const { saved, next } = edits();
  next.onMessage({ kind: "turbopack" });
  next.onFile("/shop/a.tsx");
  // A build for a request.
  next.onMessage(built());
  expect(saved).toEqual([]);
  next.onMessage(update);
  next.onMessage(built());
  expect(saved).toMatchObject([{ files: ["/shop/a.tsx"], outcome: "hot_update" }]);
  next.onFile("/shop/b.tsx");
  next.onMessage(built("./b.tsx:1:2\nError: Bad"));
  expect(saved[1]).toMatchObject({ files: ["/shop/b.tsx"], outcome: "build_error", error: { line: 1 } });
  next.onFile("/shop/b.tsx");
  // The code is what it was before the error: nothing is sent to pages.
  next.onMessage(built());
  expect(saved[2]).toMatchObject({ files: ["/shop/b.tsx"], outcome: "hot_update", isWhole: true });
});

it("joins an update with a file that is noticed after it, and says when no page uses a file", () => {
  const { saved, next } = edits();
  next.onMessage({ kind: "turbopack" });
  next.onMessage(update);
  next.onMessage(built());
  next.onFile("/shop/a.tsx");
  expect(saved).toMatchObject([{ outcome: "hot_update" }]);
  next.onFile("/shop/README.md");
  vi.advanceTimersByTime(2_000);
  expect(saved[1]).toMatchObject({ files: ["/shop/README.md"], outcome: "unused" });
});
