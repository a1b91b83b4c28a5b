import { afterEach, describe, expect, it, vi } from "vitest";
import { GrantRequests } from "./grant-requests.js";

afterEach(() => vi.useRealTimers());

describe("a request for a grant", () => {
  it("is one question, however often it is asked, and every command gets the answer", async () => {
    const requests = new GrantRequests(() => {});
    const asked = [1, 2, 3].map(() => requests.ask("Codex", "cookies", "Storage.getCookies"));
    expect(requests.all()).toEqual([
      { id: 1, client: "Codex", grant: "cookies", method: "Storage.getCookies" },
    ]);
    requests.answer(1, true);
    expect(await Promise.all(asked)).toEqual([true, true, true]);
    expect(requests.all()).toEqual([]);
    expect([...requests.grantsOf("Codex")]).toEqual(["cookies"]);
    expect([...requests.grantsOf("Other")]).toEqual([]);
  });

  it("is refused when the person says no, or does not answer within 30 seconds", async () => {
    vi.useFakeTimers();
    const requests = new GrantRequests(() => {});
    const refused = requests.ask("Codex", "files", "DOM.setFileInputFiles");
    requests.answer(1, false);
    expect(await refused).toBe(false);
    const late = requests.ask("Codex", "files", "DOM.setFileInputFiles");
    vi.advanceTimersByTime(30_000);
    expect(await late).toBe(false);
    expect(requests.all()).toEqual([]);
    expect(requests.grantsOf("Codex").size).toBe(0);
  });

  it("does not pile up", async () => {
    const requests = new GrantRequests(() => {});
    for (let i = 0; i < 20; i++) void requests.ask(`client ${i}`, "cookies", "x");
    expect(await requests.ask("one more", "cookies", "x")).toBe(false);
    for (let i = 0; i < 20; i++) requests.refuseAll(`client ${i}`);
    expect(requests.all()).toEqual([]);
  });
});
