import { setTimeout as sleep } from "node:timers/promises";
import type { HubClient } from "@debug-bridge/client";
import { BridgeError, errorFromBody, type RecordingSummary } from "@debug-bridge/protocol";
import { z } from "zod";
import { forModel, ownWords } from "../answers/model-text.js";
import type { Bridge } from "../bridge.js";
import { EXPLAINED, given, rareMaxTokensField, sessionField } from "../input/fields.js";
import { defineTool, type ToolAnswer } from "../tool.js";

const ACTIONS = ["start", "stop", "list", "reproduce"] as const;
const WRITTEN_TIMEOUT_MS = 5_000;
const POLL_MS = 50;
const MAX_LISTED = 50;

export const recordTool = defineTool({
  name: "record",
  description: "Records a page. action: start (reloads), stop, list, reproduce (a test of its failure).",
  input: z.object({
    session: sessionField,
    action: z.enum(ACTIONS).describe("what to do").meta(EXPLAINED),
    recording: z
      .string()
      .optional()
      .describe("for reproduce: an id, or the end of one; the newest of the session, or of all, if left out")
      .meta({ hidden: true }),
    reload: z
      .boolean()
      .optional()
      .describe("for start: false keeps the page as it is, so that the recording begins in its middle")
      .meta({ hidden: true }),
    error: z
      .string()
      .optional()
      .describe("for reproduce: part of the error's message")
      .meta({ hidden: true }),
    shows: z
      .string()
      .optional()
      .describe("for reproduce: what the page wrongly shows at the end, if there is no error")
      .meta({ hidden: true }),
    maxMs: z
      .int()
      .min(1_000)
      .max(600_000)
      .optional()
      .describe("for reproduce: when to stop shrinking; 40,000 by default")
      .meta({ hidden: true }),
    maxTokens: rareMaxTokensField,
  }),
  readOnly: false,
  async run({ session, action, recording, reload, maxTokens, ...how }, bridge) {
    switch (action) {
      case "start":
        return start(bridge, await bridge.choose(session), reload ?? true);
      case "stop":
        return stop(bridge, await bridge.choose(session));
      case "list":
        return list(bridge, maxTokens);
      case "reproduce": {
        if (!bridge.reproduce)
          throw new BridgeError("not_supported", "use a shell: debug-bridge record reproduce");
        const { lines, ...data } = await bridge.reproduce({ name: recording ?? session, ...given(how) });
        const content = lines.join("\n");
        return {
          text: forModel({ content, source: "the recording", maxTokens, advice: "read report.md" }),
          data,
          isError: !data.reproduced,
        };
      }
    }
  },
});

async function start({ hub }: Bridge, session: string, reload: boolean): Promise<ToolAnswer> {
  await startRecording(hub, session, reload);
  const text = ownWords`recording; do what fails, then record stop and record reproduce`;
  return { text, data: { session, recording: true } };
}

/**
 * Records a session; `reload` loads its page again, so that the recording has it from its start. If that is refused, the
 * recording ends at once.
 */
export async function startRecording(hub: HubClient, session: string, reload: boolean): Promise<void> {
  await hub.post(pathOf(session), {});
  if (!reload) return;
  try {
    await reloadPage(hub, session);
  } catch (thrown) {
    await hub.delete(pathOf(session));
    throw thrown;
  }
}

async function reloadPage(hub: HubClient, session: string): Promise<void> {
  const { url } = (await hub.sessions()).find(({ id }) => id === session) ?? {};
  if (!url)
    throw new BridgeError(
      "not_supported",
      `the address of ${session} is not known, so its page cannot be loaded again; record it without reloading`,
    );
  const { success, error, message } = await hub.command(session, { type: "navigate", url });
  if (success !== true) throw errorFromBody({ code: String(error), message: message as string | undefined });
}

async function stop({ hub }: Bridge, session: string): Promise<ToolAnswer> {
  const recording = await stopRecording(hub, session);
  const data = { session, recording };
  if (recording === undefined) return { text: ownWords`nothing was recorded`, data };
  // The id has the name of the session in it, which an app chooses.
  return { text: forModel({ content: `recorded as ${recording}`, source: "the hub" }), data };
}

/** Ends it. Returns the id of the recording once everything is on disk; nothing when there was nothing to record. */
export async function stopRecording(hub: HubClient, session: string): Promise<string | undefined> {
  const { recording } = (await hub.get(pathOf(session))) as { recording: boolean };
  if (!recording)
    throw new BridgeError(
      "conflict",
      `${session} is not being recorded; debug-bridge record start ${session} records it`,
    );
  const newest = async (): Promise<RecordingSummary | undefined> =>
    (await recordingsOf(hub)).recordings.find((each) => each.name === session);
  const before = await newest();
  await hub.delete(pathOf(session));
  const ends = Date.now() + WRITTEN_TIMEOUT_MS;
  for (;;) {
    const now = await newest();
    // One that had ended before is not this one.
    const isThis = now !== undefined && (now.id !== before?.id || before.endTime === undefined);
    if (isThis && now.endTime !== undefined) return now.id;
    if (Date.now() > ends) return isThis ? now.id : undefined;
    await sleep(POLL_MS);
  }
}

async function list({ hub }: Bridge, maxTokens: number | undefined): Promise<ToolAnswer> {
  const { recordings: all, omitted } = await recordingsOf(hub);
  const recordings = all
    .filter(({ kind }) => kind !== undefined && kind !== "agent")
    .map(({ id, name, kind, startTime, endTime }) => ({ id, session: name, kind, startTime, endTime }));
  const lines = recordings
    .slice(0, MAX_LISTED)
    .map(({ id, kind, session, endTime }) =>
      [id, kind, session, endTime === undefined ? "(not ended)" : ""].join(" ").trim(),
    );
  const older = recordings.length + omitted - lines.length;
  if (older > 0) lines.push(`… and ${older} older ones; debug-bridge record list shows all`);
  const text = forModel({
    content: lines.join("\n") || "none",
    source: "the hub",
    maxTokens,
    advice: "raise maxTokens",
  });
  return { text, data: { recordings } };
}

async function recordingsOf(
  hub: HubClient,
): Promise<{ recordings: readonly RecordingSummary[]; omitted: number }> {
  const { recordings, omitted = 0 } = (await hub.get("/v1/recordings")) as {
    recordings: readonly RecordingSummary[];
    omitted?: number;
  };
  return { recordings, omitted };
}

const pathOf = (session: string): string => `/v1/sessions/${encodeURIComponent(session)}/recording`;
