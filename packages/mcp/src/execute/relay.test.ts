import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { Executor } from "./executor.js";
import { waitForSlot } from "./relay.js";

/** A relay that reports whether it is busy, and the times of the requests. */
async function relay(isBusy: (requests: number) => boolean) {
  const times: number[] = [];
  const server = createServer((request, response) => {
    if (request.url === "/healthz") return response.end(JSON.stringify({ ok: true, extension: true }));
    expect(request.url).toBe("/client-slot");
    times.push(performance.now());
    return response.end(JSON.stringify({ busy: isBusy(times.length), activeClientId: "other" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/cdp?token=secret`;
  return { url, times, close: () => void server.close() };
}

describe.concurrent("waiting for the relay's one client slot", () => {
  it("polls at random intervals of 200 to 400 ms and returns when the slot is free [REL-049, REL-050]", async ({
    onTestFinished,
  }) => {
    const numbers = [0, 0.25, 0.5, 0.75, 1 - Number.EPSILON];
    const busy = await relay((requests) => requests <= numbers.length);
    onTestFinished(busy.close);
    const given = [...numbers];
    const pauses: number[] = [];
    const pause = async (ms: number): Promise<void> => void pauses.push(ms);
    const random = (): number => given.shift() ?? Number.NaN;
    await waitForSlot(busy.url, Date.now() + 60_000, { random, pause });
    expect(pauses.slice(0, -1)).toEqual([200, 250, 300, 350]);
    expect(pauses.at(-1)).toBeCloseTo(400);
    expect(pauses).toHaveLength(numbers.length);
    expect(busy.times).toHaveLength(numbers.length + 1);
  });

  it("really waits that long, for times that differ [REL-049]", async ({ onTestFinished }) => {
    const busy = await relay((requests) => requests <= 10);
    onTestFinished(busy.close);
    await waitForSlot(busy.url, Date.now() + 60_000);
    const gaps = busy.times.slice(1).map((time, i) => time - (busy.times[i] as number));
    expect(gaps).toHaveLength(10);
    for (const gap of gaps) expect(gap).toBeGreaterThan(195);
    // A busy machine adds to each interval, but not to the shortest of ten.
    expect(Math.min(...gaps)).toBeLessThan(400);
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeGreaterThan(10);
  });

  it("gives up with an error after 30 seconds [REL-050]", async ({ onTestFinished }) => {
    const busy = await relay(() => true);
    onTestFinished(busy.close);
    const executor = new Executor({ relayUrl: () => busy.url });
    onTestFinished(() => executor.close());
    const started = performance.now();
    await expect(executor.run("return 1")).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/other is still connected/),
    });
    expect(performance.now() - started).toBeGreaterThan(29_500);
  });
});
