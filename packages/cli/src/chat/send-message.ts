import { createInterface } from "node:readline/promises";
import { HubClient, homeFolder } from "@debug-bridge/client";
import { BridgeError, type ChatSummary } from "@debug-bridge/protocol";
import { ChatStore } from "@debug-bridge/server";
import { HubStarter } from "../hub/find-or-start.js";
import type { CommonOptions } from "../options.js";
import { printMessage } from "../terminal/output.js";
import { paint } from "../terminal/style.js";
import { UsageError } from "../usage-error.js";
import { Approver } from "./approver.js";
import { followRun } from "./follow-run.js";
import { findChat } from "./saved-chats.js";

export interface ChatOptions extends CommonOptions {
  readonly provider?: string;
  readonly chat?: string;
  readonly continue?: boolean;
  readonly page?: string;
  readonly approve: readonly string[];
}

/** Sends a message in a chat and shows the answer; without a message it prompts for one after the other. */
export async function sendMessages(message: string | undefined, options: ChatOptions): Promise<void> {
  if (options.chat !== undefined && options.continue)
    throw new UsageError("--chat and --continue both choose the chat; use one of them");
  const isDialog = message === undefined && process.stdin.isTTY === true;
  const first = message ?? (isDialog ? undefined : await readInput());
  if (first !== undefined && first.trim() === "")
    throw new UsageError('there is nothing to say; usage: debug-bridge chat "MESSAGE"');
  const starter = new HubStarter(options);
  const hub = new HubClient({ hub: () => starter.findOrStart(), name: "chat" });
  try {
    const chat = await openChat(hub, options);
    if (!options.json) printMessage(paint("dim", `chat ${chat.id} with ${chat.provider}`));
    if (first !== undefined) await sendMessage(hub, chat.id, first, options);
    else await dialog(hub, chat.id, options);
  } finally {
    hub.close();
    await starter.close();
  }
}

async function sendMessage(
  hub: HubClient,
  chatId: string,
  message: string,
  options: ChatOptions,
): Promise<void> {
  const { sequence = 0 } = (await hub.get(`/v1/chats/${chatId}`)) as ChatSummary;
  const context = options.page === undefined ? {} : { context: { session: options.page } };
  const { runId } = (await hub.post(`/v1/chats/${chatId}/runs`, { message, ...context })) as {
    runId: string;
  };
  const { json = false, approve } = options;
  const isInteractive = !json && process.stdin.isTTY === true && process.stderr.isTTY === true;
  const approver = new Approver({ hub, chatId, approve, isInteractive });
  const ended = await followRun(hub, { chatId, runId, since: sequence, json, approver });
  if (ended !== "done") process.exitCode = 1;
}

async function dialog(hub: HubClient, chatId: string, options: ChatOptions): Promise<void> {
  for (;;) {
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    // Ctrl+D ends the dialog, and so does Ctrl+C while nothing runs.
    const ended = new Promise<undefined>((resolve) => prompt.once("close", () => resolve(undefined)));
    const message = await Promise.race([prompt.question("> "), ended]);
    prompt.close();
    if (message === undefined) return;
    if (message.trim() !== "") await sendMessage(hub, chatId, message, options);
  }
}

/** The chat that was asked for, else a new one. */
async function openChat(hub: HubClient, options: ChatOptions): Promise<ChatSummary> {
  const chosen = chosenChat(options);
  if (chosen === undefined) {
    const provider = options.provider === undefined ? {} : { provider: options.provider };
    return (await hub.post("/v1/chats", { cwd: process.cwd(), ...provider })) as ChatSummary;
  }
  if (options.provider !== undefined && options.provider !== chosen.provider)
    throw new BridgeError(
      "conflict",
      `this chat is with ${chosen.provider}; leave out --provider, or start another chat`,
    );
  return chosen;
}

function chosenChat(options: ChatOptions): ChatSummary | undefined {
  if (options.chat === undefined && !options.continue) return undefined;
  const store = new ChatStore(homeFolder(options.home));
  if (options.chat !== undefined) return findChat(store, options.chat);
  const [newest] = store.list().filter(({ archived }) => archived !== true);
  if (newest) return newest;
  throw new BridgeError("session_not_found", 'there is no chat yet; start one: debug-bridge chat "MESSAGE"');
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
