import type { ChatSummary } from "@debug-bridge/protocol";
import { expect, it } from "vitest";
import { withChanges } from "./list-changes.js";

const chat = (id: string, second: number, more: Partial<ChatSummary> = {}): ChatSummary => ({
  ...{ id, kind: "chat", title: id, provider: "test", cwd: "/", providerState: {} },
  created: "2026-01-01T00:00:00.000Z",
  updated: `2026-01-01T00:00:0${second}.000Z`,
  ...more,
});
const list = { chats: [chat("b", 2), chat("a", 1)], partial: false };
const ids = (changes: Parameters<typeof withChanges>[1]): string =>
  withChanges(list, changes)
    .chats.map(({ id }) => id)
    .join("");

it("moves a chat that was used to the top, and adds new ones", () => {
  expect(ids([{ event: "chat.changed", payload: chat("a", 3) }])).toBe("ab");
  expect(ids([{ event: "chat.changed", payload: chat("c", 1) }])).toBe("bca");
});

it("removes chats that were deleted or archived", () => {
  expect(ids([{ event: "chat.deleted", payload: { id: "b" } }])).toBe("a");
  expect(ids([{ event: "chat.changed", payload: chat("a", 3, { archived: true }) }])).toBe("b");
});
