/**
 * A small agent that speaks the Agent Client Protocol, written with its SDK. It remembers its threads in files of `ACP_HOME`.
 * It calls the first tool of the first MCP server that it is given, edits a file if it may, and answers with what it heard.
 */

import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const file = (id) => join(process.env.ACP_HOME, id);
const sessions = new Map();
const capabilities = {
  loadSession: true,
  ...(process.env.ACP_PICTURES ? { promptCapabilities: { image: true } } : {}),
};

agent({ name: "test-agent" })
  .onRequest("initialize", () => {
    if (process.env.ACP_SIGNED_OUT) throw new RequestError(-32_000, "Authentication required");
    return { protocolVersion: PROTOCOL_VERSION, agentCapabilities: capabilities };
  })
  .onRequest("session/new", ({ params }) => {
    const sessionId = randomUUID();
    sessions.set(sessionId, { heard: [], ...params });
    return { sessionId };
  })
  .onRequest("session/load", async ({ params, client }) => {
    if (!existsSync(file(params.sessionId))) throw new RequestError(-32_002, "unknown session");
    const heard = JSON.parse(readFileSync(file(params.sessionId), "utf8"));
    sessions.set(params.sessionId, { heard, ...params });
    for (const text of heard)
      await client.notify("session/update", {
        sessionId: params.sessionId,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: `replayed ${text}` } },
      });
    return {};
  })
  .onRequest("session/prompt", async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const session = sessions.get(sessionId);
    const update = (each) => client.notify("session/update", { sessionId, update: each });
    const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    session.heard.push(prompt[0].text);
    writeFileSync(file(sessionId), JSON.stringify(session.heard));
    const pictures = prompt.filter(({ type }) => type === "image").length;
    if (pictures > 0) await say(`I see ${pictures} picture. `);
    while (existsSync(file("hold"))) await new Promise((resolve) => setTimeout(resolve, 10));
    const ask = async (toolCall) => {
      await update({ sessionUpdate: "tool_call", status: "pending", ...toolCall });
      const options = [
        { optionId: "yes", name: "Allow", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ];
      const { outcome } = await client.request("session/request_permission", {
        sessionId,
        toolCall,
        options,
      });
      const isAllowed = outcome.outcome === "selected" && outcome.optionId === "yes";
      if (!isAllowed)
        await update({
          sessionUpdate: "tool_call_update",
          toolCallId: toolCall.toolCallId,
          status: "failed",
        });
      return isAllowed;
    };
    if (await ask({ toolCallId: "t1", title: "sessions", kind: "other", rawInput: {} })) {
      const [server] = session.mcpServers;
      const mcp = new Client({ name: "test-agent", version: "1" });
      await mcp.connect(
        new StdioClientTransport({ command: server.command, args: server.args, env: process.env }),
      );
      const { content } = await mcp.callTool({ name: "sessions", arguments: {} });
      await mcp.close();
      await update({
        sessionUpdate: "tool_call_update",
        toolCallId: "t1",
        status: "completed",
        content: content.map((each) => ({ type: "content", content: each })),
      });
    }
    const mayEdit = await ask({
      toolCallId: "t2",
      title: "Edit main.ts",
      kind: "edit",
      rawInput: { path: "main.ts" },
    });
    await update({ sessionUpdate: "usage_update", used: 321, size: 1000 });
    await say(`I heard ${session.heard.length}: ${session.heard.join(" | ")}. `);
    await say(mayEdit ? "I edited." : "I may not edit.");
    return { stopReason: "end_turn" };
  })
  .onNotification("session/cancel", () => {})
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
