import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { DevServer, SavedFiles } from "../dev-server.js";
import { AngularEdits } from "./angular-edits.js";
import { readAngular } from "./angular-messages.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stage() {
  const saved: SavedFiles[] = [];
  const edits = new AngularEdits({ saved: (each: SavedFiles) => saved.push(each) } as unknown as DevServer);
  const receive = (message: object): void => {
    const event = readAngular(JSON.stringify(message));
    if (event) edits.onEvent(event);
  };
  return { saved, edits, receive };
}
const COMPONENT = { type: "custom", event: "angular:component-update", data: { id: "a" } };

it("reports an update, an error with its lines, and its fix, each with the file that was saved", () => {
  const { saved, edits, receive } = stage();
  edits.onFile("/shop/a.html");
  receive({ type: "connected" });
  receive(COMPONENT);
  expect(saved).toMatchObject([{ files: ["/shop/a.html"], outcome: "hot_update" }]);
  edits.onFile("/shop/b.ts");
  const loc = { file: "b.ts", line: 3, column: 4, lineText: "let = 1" };
  receive({ type: "error", err: { message: "TS1003: Identifier expected.", loc } });
  expect(saved[1]).toMatchObject({
    outcome: "build_error",
    error: {
      file: "b.ts",
      line: 3,
      message: "TS1003: Identifier expected.",
      frame: "3 | let = 1\n        ^",
    },
  });
  edits.onFile("/shop/b.ts");
  receive({ type: "update", updates: [] });
  receive({ type: "full-reload" });
  expect(saved[2]).toMatchObject({ files: ["/shop/b.ts"], outcome: "full_reload", isWhole: true });
});

it("an edit report says when a build changed nothing and when no build followed", () => {
  const { saved, edits, receive } = stage();
  edits.onFile("/shop/b.ts");
  receive({ type: "update", updates: [] });
  vi.advanceTimersByTime(500);
  expect(saved[0]).toMatchObject({ outcome: "no_update", isWhole: true });
  edits.onFile("/shop/README.md");
  vi.advanceTimersByTime(11_000);
  expect(saved[1]).toMatchObject({ files: ["/shop/README.md"], outcome: "unused" });
});

it("joins an update with a file that is noticed after it", () => {
  const { saved, edits, receive } = stage();
  receive(COMPONENT);
  edits.onFile("/shop/a.html");
  expect(saved).toMatchObject([{ files: ["/shop/a.html"], outcome: "hot_update" }]);
});
