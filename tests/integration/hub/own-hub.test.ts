import { HubClient } from "@debug-bridge/client";
import { describe, expect, it } from "vitest";
import { foundOwn } from "../../../packages/cli/src/hub/found-own.js";
import { until } from "../../fixtures.js";
import { answer, hello, testHub } from "../../support/hub/hub.js";

/** A client of a hub in its own process, as `debug-bridge mcp` is one. */
async function ownClient(hub: Awaited<ReturnType<typeof testHub>>): Promise<HubClient> {
  return new HubClient({ hub: () => foundOwn(hub), name: "mcp" });
}

describe("a client of a hub in the same process", () => {
  it("is served without a socket, as every other: recorded and audited under its name, refused in the same words", async () => {
    const hub = await testHub();
    const app = await hub.app();
    app.send(hello);
    answer(app, () => ({ result: "done" }));
    const client = await ownClient(hub);
    const session = await client.session("s");
    expect(await session.act({ type: "click", target: { ref: "e1" } })).toMatchObject({ result: "done" });
    await expect(session.act({ type: "click", target: {} } as never)).rejects.toMatchObject({
      code: "invalid_message",
    });
    await expect(client.session("../else")).rejects.toMatchObject({ code: "invalid_message" });
    await until(() => /"who":"agent-\d+:mcp"/.test(hub.audit()));
    const { events } = await client.events("s");
    expect(JSON.stringify(events.find(({ type }) => type === "command"))).toMatch(/"client":"agent-\d+:mcp"/);
    client.close();
  });

  it("knows when its choice of a session may be another, also when the news came at once", async () => {
    const hub = await testHub();
    await hub.app();
    const client = await ownClient(hub);
    await client.session("s");
    const version = await until(() => client.listVersion);
    await hub.app("another");
    await until(() => client.listVersion !== version);
    client.close();
  });

  it("learns that the hub has ended", async () => {
    const hub = await testHub();
    await hub.app();
    const client = await ownClient(hub);
    const session = await client.session("s");
    const running = session.act({ type: "click", target: { ref: "e1" } });
    await Promise.all([expect(running).rejects.toThrow(), hub.close()]);
    expect(client.listVersion).toBeUndefined();
  });
});
