import type { z } from "zod";
import {
  AGENT_LINE_LIMITS,
  APP_MESSAGE_LIMITS,
  BROWSER_ACTION_LIMITS,
  CHAT_MESSAGE_LIMITS,
  CHAT_RUN_LIMITS,
  CONSOLE_MESSAGE_LIMITS,
  EXTENSION_MESSAGE_LIMITS,
  type MessageLimits,
  PAIRING_MESSAGE_LIMITS,
  TIMELINE_LIMITS,
} from "../limits.js";
import { agentCommandSchema } from "./agent/commands.js";
import { agentEventSchema } from "./agent/events.js";
import { indexFileSchema, sessionFileSchema } from "./agent/files.js";
import { stateSnapshotSchema } from "./agent/snapshot.js";
import { sessionSummarySchema } from "./api.js";
import { commandSchema } from "./app/commands.js";
import { dialectMessageSchema } from "./app/dialect.js";
import { hubMessageSchema } from "./app/hub.js";
import { appMessageSchema } from "./app/wire.js";
import { runnerConfigSchema } from "./browser-action/config.js";
import { browserInstructionSchema } from "./browser-action/instruction.js";
import { browserResponseSchema } from "./browser-action/response.js";
import {
  changeChatSchema,
  chatApprovalsSchema,
  chatFeedEventSchema,
  chatMetaSchema,
  chatSummarySchema,
  createChatSchema,
  decideApprovalSchema,
  startRunSchema,
} from "./chat/chats.js";
import { runEventSchema } from "./chat/events.js";
import { chunkSchema } from "./chunk.js";
import { consoleFrameSchema } from "./console/wire.js";
import { extensionCommandSchema, extensionMessageSchema } from "./extension.js";
import { codeMessageSchema, handshakeMessageSchema, panelHelloSchema, panelProveSchema } from "./pairing.js";
import { receiptSchema } from "./receipt.js";
import { gapRecordSchema, timelineRecordSchema } from "./timeline.js";

export interface Wire {
  readonly title: string;
  readonly schema: z.ZodType;
  readonly limits: MessageLimits;
}

/**
 * Every schema that validates at an edge, by name: the docs, the generated JSON Schema and the property tests read it.
 */
export const wires = {
  "app.app-message": {
    title: "App wire: app to agents",
    schema: appMessageSchema,
    limits: APP_MESSAGE_LIMITS,
  },
  "app.command": { title: "App wire: agent to app", schema: commandSchema, limits: APP_MESSAGE_LIMITS },
  "app.hub-message": {
    title: "App wire: hub to apps and agents",
    schema: hubMessageSchema,
    limits: APP_MESSAGE_LIMITS,
  },
  "app.dialect": {
    title: "App wire: debug-bridge-browser 0.2 to the hub",
    schema: dialectMessageSchema,
    limits: APP_MESSAGE_LIMITS,
  },
  "console.frame": { title: "Console wire", schema: consoleFrameSchema, limits: CONSOLE_MESSAGE_LIMITS },
  "extension.command": {
    title: "Extension wire: relay to extension",
    schema: extensionCommandSchema,
    limits: EXTENSION_MESSAGE_LIMITS,
  },
  "extension.message": {
    title: "Extension wire: extension to relay",
    schema: extensionMessageSchema,
    limits: EXTENSION_MESSAGE_LIMITS,
  },
  "pairing.handshake": {
    title: "Extension and console wire: proof of the pairing key",
    schema: handshakeMessageSchema,
    limits: PAIRING_MESSAGE_LIMITS,
  },
  "pairing.code": {
    title: "Pairing by a code",
    schema: codeMessageSchema,
    limits: PAIRING_MESSAGE_LIMITS,
  },
  "panel.hello": { title: "Panel: first request", schema: panelHelloSchema, limits: PAIRING_MESSAGE_LIMITS },
  "panel.prove": { title: "Panel: proof", schema: panelProveSchema, limits: PAIRING_MESSAGE_LIMITS },
  "agent.event": { title: "Agent files: events.jsonl", schema: agentEventSchema, limits: AGENT_LINE_LIMITS },
  "agent.command": {
    title: "Agent files: commands.jsonl",
    schema: agentCommandSchema,
    limits: AGENT_LINE_LIMITS,
  },
  "agent.session-file": {
    title: "Agent files: session.json",
    schema: sessionFileSchema,
    limits: AGENT_LINE_LIMITS,
  },
  "agent.index-file": {
    title: "Agent files: index.json",
    schema: indexFileSchema,
    limits: AGENT_LINE_LIMITS,
  },
  "agent.state-snapshot": { title: "Agent state", schema: stateSnapshotSchema, limits: AGENT_LINE_LIMITS },
  "browser-action.instruction": {
    title: "browser_action: instruction",
    schema: browserInstructionSchema,
    limits: BROWSER_ACTION_LIMITS,
  },
  "browser-action.config": {
    title: "browser_action: configuration",
    schema: runnerConfigSchema,
    limits: BROWSER_ACTION_LIMITS,
  },
  "browser-action.response": {
    title: "browser_action: response",
    schema: browserResponseSchema,
    limits: BROWSER_ACTION_LIMITS,
  },
  "api.session": { title: "HTTP API: a session", schema: sessionSummarySchema, limits: APP_MESSAGE_LIMITS },
  "chat.event": {
    title: "Chats: transcript and events",
    schema: runEventSchema,
    limits: CHAT_MESSAGE_LIMITS,
  },
  "chat.meta": { title: "Chats: meta.json", schema: chatMetaSchema, limits: CHAT_MESSAGE_LIMITS },
  "chat.summary": { title: "HTTP API: a chat", schema: chatSummarySchema, limits: CHAT_MESSAGE_LIMITS },
  "chat.create": { title: "HTTP API: create a chat", schema: createChatSchema, limits: CHAT_MESSAGE_LIMITS },
  "chat.change": { title: "HTTP API: change a chat", schema: changeChatSchema, limits: CHAT_MESSAGE_LIMITS },
  "chat.run": { title: "HTTP API: start a run", schema: startRunSchema, limits: CHAT_RUN_LIMITS },
  "chat.approval": {
    title: "HTTP API: decide about a site",
    schema: decideApprovalSchema,
    limits: CHAT_MESSAGE_LIMITS,
  },
  "chat.approvals": {
    title: "Chats: sites that are always allowed",
    schema: chatApprovalsSchema,
    limits: CHAT_MESSAGE_LIMITS,
  },
  "chat.feed": {
    title: "Chats: changes of the list",
    schema: chatFeedEventSchema,
    limits: CHAT_MESSAGE_LIMITS,
  },
  "timeline.record": { title: "Timeline: record", schema: timelineRecordSchema, limits: TIMELINE_LIMITS },
  "timeline.gap": { title: "Timeline: gap", schema: gapRecordSchema, limits: TIMELINE_LIMITS },
  "shared.receipt": { title: "Receipt", schema: receiptSchema, limits: APP_MESSAGE_LIMITS },
  "shared.chunk": { title: "Chunk", schema: chunkSchema, limits: APP_MESSAGE_LIMITS },
} as const satisfies Record<string, Wire>;
