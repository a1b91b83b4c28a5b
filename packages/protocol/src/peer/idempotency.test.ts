import { describe, expect, it } from "vitest";
import { BridgeError } from "../errors.js";
import { IdempotencyCache } from "./idempotency.js";

describe("requests with a key", () => {
  it("run once, however often they are sent [ARC-060]", async () => {
    const cache = new IdempotencyCache<number>();
    let runs = 0;
    const act = async (): Promise<number> => ++runs;
    expect(await Promise.all([cache.run("k", act), cache.run("k", act)])).toEqual([1, 1]);
    expect(await cache.run("k", act)).toBe(1);
  });

  it("fail again the same way instead of running again", async () => {
    const cache = new IdempotencyCache<number>();
    let runs = 0;
    const act = async (): Promise<number> => {
      runs++;
      throw new Error("no");
    };
    await expect(cache.run("k", act)).rejects.toThrow("no");
    await expect(cache.run("k", act)).rejects.toThrow("no");
    expect(runs).toBe(1);
  });

  it("run when they are sent again after a refusal that asks for it", async () => {
    const cache = new IdempotencyCache<number>();
    const refuse = async (): Promise<number> => {
      throw new BridgeError("not_actionable", "the page is being left", { retry: true });
    };
    await expect(cache.run("k", refuse)).rejects.toThrow("being left");
    expect(await cache.run("k", async () => 1)).toBe(1);
  });

  it("run each time without a key, and again once the oldest key was forgotten", async () => {
    const cache = new IdempotencyCache<number>(2);
    let runs = 0;
    const act = async (): Promise<number> => ++runs;
    await cache.run(undefined, act);
    await cache.run(undefined, act);
    for (const key of ["a", "b", "c", "a"]) await cache.run(key, act);
    expect(runs).toBe(6);
  });
});
