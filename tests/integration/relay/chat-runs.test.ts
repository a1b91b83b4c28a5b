import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { chatApi, payloads } from "../../support/chat/chat.js";
import { controlledProvider } from "../../support/chat/chat-provider.js";
import { CdpClient } from "./cdp-client.js";
import { connected } from "./connected.js";

const CLICK = { type: "mousePressed", x: 1, y: 1, button: "left", clickCount: 1 };

describe("a CDP client that works for a run of a chat", () => {
  it("only looks until the person lets the agent act, and is asked about when it wants more", async () => {
    const { hub, extension, url, client } = await connected(undefined, {
      chatProviders: [controlledProvider()],
    });
    const api = chatApi(hub.url, hub.token);
    const chat = await api.create();
    const runId = await api.say(chat.id, "click");
    const approvals = async () => payloads(await api.events(chat.id), "run.approval");
    const tools = await CdpClient.connect(`${url}&run=${runId}`);
    await Promise.all([client.attachAll(), tools.attachAll()]);
    const page = tools.session("T1");
    await tools.result("Page.captureScreenshot", {}, page);
    expect(await approvals()).toEqual([]);
    const refused = await tools.ask("Input.dispatchMouseEvent", CLICK, page);
    expect(refused.error).toMatchObject({ data: "grant_needed" });
    expect(refused.error?.message).toContain("the person is asked");
    const [approval] = await until(async () => {
      const all = await approvals();
      return all.length > 0 && all;
    });
    expect(approval).toMatchObject({ sessionId: "tab-1", action: "click or type", status: "waiting" });
    expect(extension.cdp(1)).not.toContain("Input.dispatchMouseEvent");
    // Other clients are not concerned.
    await client.result("Input.dispatchMouseEvent", CLICK, client.session("T1"));
    await api.json(`/v1/chats/${chat.id}/approvals/${approval?.id}`, "POST", { decision: "once" });
    await tools.result("Input.dispatchMouseEvent", CLICK, page);
    await expect(CdpClient.connect(`${url}&run=x`)).rejects.toThrow("400");
  });
});
