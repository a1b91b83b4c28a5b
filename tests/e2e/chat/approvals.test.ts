import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { startModelServer } from "../../support/agents/model-server.js";
import { payloads, startChatHub } from "../../support/chat/chat.js";

/** A page with a button. */
async function servePage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<button onclick=\"document.title = 'saved'\">Save</button>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a browser that the agent of a chat launches", () => {
  it("is one more place where the person is asked before it acts on a site", async () => {
    const site = await servePage();
    const model = await startModelServer([{ text: "Done." }], () => new Promise(() => {}));
    const hub = await startChatHub(temporaryFolder(), {
      env: { DEBUG_BRIDGE_MODEL: "stand-in", DEBUG_BRIDGE_MODEL_URL: `${model.url}/v1` },
    });
    const chat = await hub.create({ provider: "reference", cwd: temporaryFolder() });
    const runId = await hub.say(chat.id, "Save it");
    const act = async (instruction: string): Promise<{ success: boolean }> => {
      const response = await hub.call("/v1/browser-action", {
        method: "POST",
        body: JSON.stringify({ instruction, sessionId: "browser-1" }),
        headers: { "x-debug-bridge-client": `mcp@${runId}` },
      });
      return response.json();
    };
    const asked = async () => payloads(await hub.events(chat.id), "run.approval");
    const start = `<type>start</type><url>${site}/</url>`;
    expect(JSON.stringify(await act(start))).toContain(
      `the person is asked whether the agent may act on ${site}`,
    );
    const [approval] = await until(async () => {
      const all = await asked();
      return all.length > 0 && all;
    });
    expect(approval).toMatchObject({ origin: site, action: `go to ${site}/`, status: "waiting" });
    await hub.json(`/v1/chats/${chat.id}/approvals/${approval?.id}`, "POST", { decision: "once" });
    expect(await act(start)).toMatchObject({ success: true });
    expect(await act("<type>click</type><targets>Save</targets>")).toMatchObject({ success: true });
    expect((await asked()).map(({ status }) => status)).toEqual(["waiting", "allowed"]);
    await hub.json(`/v1/runs/${runId}/stop`, "POST");
  });
});
