import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HubClient } from "@debug-bridge/client";
import { MemoryExchange, startHub } from "@debug-bridge/server";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { ResumingApp } from "../../support/hub/resuming-app.js";

const CLICK = { type: "click", target: { text: "Save" } } as const;

/** A hub on a bus, and a client of it. */
async function hubOn(exchange: MemoryExchange, name: string): Promise<{ url: string; client: HubClient }> {
  const home = temporaryFolder();
  const hub = await startHub({ home, port: 0, consolePort: 0, relayPort: 0, bus: exchange.connect(name) });
  onTestFinished(() => hub.close());
  const token = readFileSync(join(home, "token"), "utf8").trim();
  const client = new HubClient({ hub: hub.url, token, name: "tester" });
  onTestFinished(() => client.close());
  return { url: hub.url, client };
}

test("a session that began on another hub is used before the registry reports it", async () => {
  const exchange = new MemoryExchange();
  const first = await hubOn(exchange, "first");
  // From now on the registry is silent, like one whose report is still on its way.
  exchange.sessions.watch = () => Promise.resolve();
  const [second, third] = [await hubOn(exchange, "second"), await hubOn(exchange, "third")];
  const app = new ResumingApp([first.url], "shop", "page-1");
  onTestFinished(() => app.end());
  await until(() => app.connections === 1);

  // It is in the registry.
  expect(await second.client.command("shop", CLICK)).toMatchObject({ success: true });
  // It was listed by its hub, which may do so before it is in the registry.
  exchange.sessions.get = () => Promise.resolve(undefined);
  await expect(third.client.command("shop", CLICK)).rejects.toMatchObject({ code: "session_not_found" });
  await until(async () => (await third.client.sessions()).some(({ id }) => id === "shop"));
  expect(await third.client.command("shop", CLICK)).toMatchObject({ success: true });
  expect(app.commands).toHaveLength(2);
  // An agent that connects does not begin another session of that name.
  const agent = await third.client.session("shop");
  expect(await agent.act(CLICK)).toMatchObject({ success: true });
  expect(app.commands).toHaveLength(3);
  await expect(third.client.command("other", CLICK)).rejects.toMatchObject({ code: "session_not_found" });
});
