import { HubClient } from "@debug-bridge/client";
import { Bridge } from "@debug-bridge/mcp";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import { answer, type TestHub, testHub } from "../../support/hub/hub.js";

/** A bridge as an MCP server has it, and how often it asked the hub for its sessions. */
function openBridge(hub: TestHub): { bridge: Bridge; asked(): number } {
  const client = new HubClient({ hub: hub.url, token: hub.token });
  const sessions = client.sessions.bind(client);
  let count = 0;
  client.sessions = () => {
    count++;
    return sessions();
  };
  const bridge = new Bridge({ hub: client } as never);
  onTestFinished(() => client.close());
  return { bridge, asked: () => count };
}

const look = async (bridge: Bridge): Promise<void> => {
  await (await bridge.session(undefined)).act({ type: "get_state" });
};

it("the session that a bridge chose is kept without a request, until the list of sessions changes", async () => {
  const hub = await testHub();
  answer(await hub.app("a"));
  const { bridge, asked } = openBridge(hub);
  await look(bridge);
  // The hub announces changes from the first connection to a session on.
  await until(async () => {
    const before = asked();
    await look(bridge);
    return asked() === before;
  });
  const before = asked();
  for (let i = 0; i < 5; i++) await look(bridge);
  expect(asked()).toBe(before);

  const other = await hub.app("b");
  answer(other);
  const agent = await hub.agent("b");
  await agent.command({ type: "get_state" });
  await until(async () => (await bridge.choose(undefined)) === "b");
  await look(bridge);

  other.close();
  await until(async () => (await bridge.choose(undefined)) === "a");
});

it("a bridge asks again after its connection to the hub was lost", async () => {
  const hub = await testHub();
  const app = await hub.app("a");
  answer(app);
  const { bridge, asked } = openBridge(hub);
  await look(bridge);
  await until(() => bridge.hub.listVersion !== undefined);
  await bridge.choose(undefined);
  const client = await bridge.session("a");
  client.close();
  await until(() => bridge.hub.listVersion === undefined);
  const before = asked();
  expect(await bridge.choose(undefined)).toBe("a");
  expect(asked()).toBe(before + 1);
});
