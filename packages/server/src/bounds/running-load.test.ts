import { afterEach, expect, test } from "vitest";
import { RunningLoad } from "./running-load.js";

/** Ends the commands of a test: what they hold is counted in the whole process. */
const ends: (() => void)[] = [];
const untilEnd = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
const endAll = async (): Promise<void> => {
  for (const end of ends.splice(0)) end();
  await new Promise((resolve) => setImmediate(resolve));
};
afterEach(endAll);

/** Which of these are refused, when the others go on. */
async function refusedOf(running: readonly Promise<void>[]): Promise<unknown[]> {
  const refused: unknown[] = [];
  for (const each of running) each.catch((thrown) => refused.push(thrown));
  await new Promise((resolve) => setImmediate(resolve));
  return refused;
}

test("a session takes no more commands while those that run hold 8 MB, and takes them again when they end", async () => {
  const load = new RunningLoad();
  const running = [4_000_000, ...Array.from({ length: 2_500 }, () => 100)].map((size) =>
    load.during(size, untilEnd),
  );
  const refused = await refusedOf(running);
  expect(refused.length).toBeGreaterThan(100);
  expect(refused[0]).toMatchObject({ code: "rate_limit" });
  expect(await new RunningLoad().during(100, async () => "of another session")).toBe("of another session");
  await endAll();
  expect(await load.during(8_000_000, async () => "taken")).toBe("taken");
});

test("a command that fails holds nothing", async () => {
  const load = new RunningLoad();
  for (let i = 0; i < 10; i++)
    await expect(load.during(4_000_000, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await load.during(8_000_000, async () => "taken")).toBe("taken");
});

test("all sessions together hold 64 MB", async () => {
  const running = Array.from({ length: 40 }, () => new RunningLoad().during(2_000_000, untilEnd));
  const refused = await refusedOf(running);
  expect(refused.length).toBeGreaterThan(5);
  expect(refused[0]).toMatchObject({ code: "rate_limit" });
});
