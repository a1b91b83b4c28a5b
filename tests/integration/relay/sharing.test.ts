import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { connected } from "./connected.js";
import { tab } from "./fake-extension.js";

describe("clients and what the person shares", () => {
  it("waits with a client while nothing is shared, and gives it a tab as soon as there is one", async () => {
    const { extension, client } = await connected([]);
    await client.attachAll();
    const waiting = (): unknown =>
      extension.received.filter(({ method }) => method === "clientsWaiting").at(-1)?.params.clients;
    await until(() => JSON.stringify(waiting()) === '["CDP client"]');
    expect((await client.result("Target.getTargets")).targetInfos).toEqual([]);
    extension.send({ method: "tabOpened", params: { tab: tab(7) } });
    await until(() => client.session("T7") !== "undefined");
    await until(() => JSON.stringify(waiting()) === "[]");
  });

  it("answers with the person's no", async () => {
    const { extension, client } = await connected([]);
    await until(() => extension.received.some(({ method }) => method === "clientsWaiting"));
    extension.send({ method: "sharingRefused", params: { clients: ["CDP client"] } });
    const refused = await until(async () => {
      const { error } = await client.ask("Target.attachToTarget", { targetId: "x", flatten: true });
      return error?.message.includes("person") ? error : undefined;
    });
    expect(refused.message).toContain("the person was asked in the extension's popup and shares no tab");
  });

  it("says why a tab is gone", async () => {
    const { extension, client } = await connected([tab(1), tab(2)]);
    await client.attachAll();
    for (const [tabId, reason, text] of [
      [1, "stopped", "the person stopped sharing this tab in the extension's popup"],
      [2, "left_site", "the tab left the site that the person locked it to"],
    ] as const) {
      const session = client.session(`T${tabId}`);
      extension.send({ method: "tabClosed", params: { tabId, reason } });
      await until(() => client.events("Target.detachedFromTarget").length === tabId);
      expect((await client.ask("Page.enable", {}, session)).error?.message).toContain(text);
    }
  });
});
