import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, temporaryFolder } from "../../fixtures.js";
import { type ModelTurn, startModelServer } from "../../support/agents/model-server.js";
import { type ChatHub, codexHome, payloads, startChatHub, textOf } from "../../support/chat/chat.js";
import { png } from "../../support/chrome/png.js";
import { answer, hello } from "../../support/hub/hub.js";
import { WireClient } from "../../support/hub/wire-client.js";

const SENT = png(40, 30).toString("base64");
const SHOWN = png(64, 48, 200);
const CONTEXT = { images: [{ mimeType: "image/png", data: SENT }] };
const THANKS: ModelTurn = { text: "I see it." };

/** An app that answers with a picture when it is asked for one. */
async function withApp(hub: ChatHub): Promise<ChatHub> {
  const app = await WireClient.connect(hub.url, { role: "app", sessionId: "shop" });
  answer(app, () => ({ value: { mimeType: "image/png", data: SHOWN.toString("base64") } }));
  app.send(hello);
  return hub;
}

/** Sends a picture, and expects that the agent saw it and showed one. */
async function exchange(hub: ChatHub, provider: string): Promise<void> {
  const chat = await hub.create({ provider, cwd: temporaryFolder() });
  const events = await hub.ended(chat.id, await hub.say(chat.id, "What is this?", CONTEXT));
  expect(payloads(events, "run.error")).toEqual([]);
  expect(textOf(events)).toBe("I see it.");
  expect(payloads(events, "run.started")[0]?.images).toMatchObject([{ mimeType: "image/png", width: 40 }]);
  const step = payloads(events, "run.step").find(({ images }) => images !== undefined);
  expect(step).toMatchObject({ kind: "tool", status: "done" });
  expect(step?.images).toMatchObject([{ mimeType: "image/png", width: 64, height: 48 }]);
  const shown = await hub.call(`/v1/chats/${chat.id}/images/${step?.images?.[0]?.id}`);
  expect(Buffer.from(await shown.arrayBuffer()).equals(SHOWN)).toBe(true);
}

describe("pictures in a chat", () => {
  it("reach the real Codex, and those of its tools are in its steps", async () => {
    const model = await startModelServer([
      { namespace: "mcp__debug_bridge", tool: "screenshot", input: {} },
      THANKS,
    ]);
    const hub = await startChatHub(temporaryFolder(), { env: { CODEX_HOME: codexHome(model.url) } });
    await exchange(await withApp(hub), "codex");
    expect(JSON.stringify(model.requests[0]?.body.input)).toContain('"type":"input_image"');
  });

  it("reach the real Claude Code, and those of its tools are in its steps", async () => {
    const model = await startModelServer([{ tool: "mcp__debug-bridge__screenshot", input: {} }, THANKS]);
    const hub = await startChatHub(temporaryFolder(), {
      env: {
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CONFIG_DIR: temporaryFolder(),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
    });
    await exchange(await withApp(hub), "claude-code");
    const sent = model.requests.map(({ body }) => JSON.stringify(body.messages)).join("\n");
    expect(sent).toContain('"media_type":"image/png"');
    expect(sent).toContain("What is this?");
  });

  it("reach the model of the reference agent", async () => {
    const model = await startModelServer([THANKS]);
    const hub = await startChatHub(temporaryFolder(), {
      env: { DEBUG_BRIDGE_MODEL: "stand-in", DEBUG_BRIDGE_MODEL_URL: `${model.url}/v1` },
    });
    const chat = await hub.create({ provider: "reference", cwd: temporaryFolder() });
    const events = await hub.ended(chat.id, await hub.say(chat.id, "What is this?", CONTEXT));
    expect(textOf(events)).toBe("I see it.");
    expect(JSON.stringify(model.requests[0]?.body.messages)).toContain(`data:image/png;base64,${SENT}`);
  });

  it("reach an agent of the Agent Client Protocol that takes them; another one says that it does not", async () => {
    const home = temporaryFolder();
    const agent = (pictures: string): object => ({
      command: process.execPath,
      args: [join(ROOT, "tests/support/agents/acp-agent.mjs")],
      env: { ACP_HOME: temporaryFolder(), ACP_PICTURES: pictures },
    });
    writeFileSync(join(home, "acp-agents.json"), JSON.stringify({ seeing: agent("1"), blind: agent("") }));
    const hub = await startChatHub(home);
    const [seeing, blind] = [
      await hub.create({ provider: "acp:seeing", cwd: temporaryFolder() }),
      await hub.create({ provider: "acp:blind", cwd: temporaryFolder() }),
    ];
    const seen = await hub.ended(seeing.id, await hub.say(seeing.id, "one", CONTEXT));
    expect(textOf(seen)).toContain("I see 1 picture");
    const unseen = await hub.ended(blind.id, await hub.say(blind.id, "one", CONTEXT));
    expect(textOf(unseen)).not.toContain("I see");
    expect(payloads(unseen, "run.step").map(({ title }) => title)).toContain(
      "blind takes no pictures: it got the text of the message only",
    );
  });
});
