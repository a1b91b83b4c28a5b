import type { Bus, BusHandlers } from "@debug-bridge/server";
import { connectBus } from "@debug-bridge/server";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { until } from "../../fixtures.js";
import { TestBuses } from "../../support/bus/bus.js";

const buses = new TestBuses();
beforeAll(() => buses.start());
afterAll(() => buses.stop());

async function join(url: string, name: string, onRequest: BusHandlers["onRequest"]): Promise<Bus> {
  const bus = await connectBus({ url, name });
  onTestFinished(() => bus.close());
  await bus.listen({ onRequest, onChannel: () => {}, onNotice: () => {} });
  return bus;
}

test("a NATS server that is lost ends what waits for an answer, and watchers go on when it is back", async () => {
  const url = buses.address();
  let isAsked = false;
  const silent = (): Promise<string> => {
    isAsked = true;
    return new Promise(() => {});
  };
  const [a, b] = [await join(url, "a", () => ""), await join(url, "b", silent)];
  const seen: string[] = [];
  await b.sessions.watch(({ key }) => seen.push(key));
  // Much longer than a test may take.
  const answer = a.request(b.hub, "", 1_000_000).catch((error: Error) => error.message);
  await until(() => isAsked);
  await buses.restartNats();
  expect(await answer).toContain("the connection to the bus was lost");
  await until(() =>
    a.sessions.put("later", "").then(
      () => true,
      () => false,
    ),
  );
  await until(() => seen.includes("later"));
});
