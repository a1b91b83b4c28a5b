import { BridgeError, type CommandOutcome } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { IdempotencyStore } from "./idempotency-store.js";

function memory(): Pick<Storage, "getItem" | "setItem"> & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
}

describe("outcomes of commands with a key", () => {
  it("are answered again by the next document [ARC-060]", async () => {
    const store = memory();
    let runs = 0;
    const act = async (): Promise<CommandOutcome> => ({ result: String(++runs) });
    expect(await new IdempotencyStore(store).run("k", act)).toEqual({ result: "1" });
    expect(await new IdempotencyStore(store).run("k", act)).toEqual({ result: "1" });
    const failing = async (): Promise<CommandOutcome> => {
      runs++;
      throw new BridgeError("stale_ref", "gone");
    };
    await expect(new IdempotencyStore(store).run("f", failing)).rejects.toMatchObject({ code: "stale_ref" });
    await expect(new IdempotencyStore(store).run("f", failing)).rejects.toMatchObject({
      code: "stale_ref",
      message: "gone",
    });
    expect(runs).toBe(2);
  });

  it("that the page did not finish are unknown, and nothing runs again [ARC-060]", async () => {
    const store = memory();
    void new IdempotencyStore(store).run("k", () => new Promise(() => {}));
    let runs = 0;
    const again = new IdempotencyStore(store).run("k", async () => ({ result: String(++runs) }));
    await expect(again).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(runs).toBe(0);
  });

  it("results that ask the client to try again are not stored", async () => {
    const store = memory();
    const leaving = async (): Promise<CommandOutcome> => {
      throw new BridgeError("not_actionable", "the page is being left", { retry: true });
    };
    const here = new IdempotencyStore(store);
    await expect(here.run("k", leaving)).rejects.toMatchObject({ code: "not_actionable" });
    await expect(new IdempotencyStore(store).run("k", leaving)).rejects.toMatchObject({
      code: "not_actionable",
    });
    expect(await here.run("k", async () => ({ result: "1" }))).toEqual({ result: "1" });
  });

  it("are bounded in number and length, and do without storage", async () => {
    const store = memory();
    for (let i = 0; i < 80; i++) {
      await new IdempotencyStore(store).run(`k${i}`, async () => ({
        result: "x".repeat(20_000),
        applied: true,
      }));
    }
    const [text = ""] = store.kept.values();
    expect(text.length).toBeLessThan(20_000);
    expect(JSON.parse(text)).toHaveLength(50);
    const denied = {
      getItem(): string {
        throw new Error("denied");
      },
      setItem(): void {
        throw new Error("denied");
      },
    };
    for (const none of [undefined, denied]) {
      const outcomes = new IdempotencyStore(none);
      let runs = 0;
      const act = async (): Promise<CommandOutcome> => ({ result: String(++runs) });
      await outcomes.run("k", act);
      expect(await outcomes.run("k", act)).toEqual({ result: "1" });
    }
  });
});
