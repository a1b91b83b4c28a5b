import { lstatSync } from "node:fs";
import { join } from "node:path";
import { debugPaths, isActive, readSessions } from "@debug-bridge/journal";
import { BridgeError, type RecordingSummary, type SessionFile } from "@debug-bridge/protocol";
import { Hono } from "hono";
import type { PictureStore } from "../../pictures/picture-store.js";
import type { Sessions } from "../../sessions/registry.js";
import type { Session } from "../../sessions/session.js";
import type { Recorder } from "../../timeline/recorder.js";
import type { KeptChains } from "../../why/kept-chains.js";

const MAX_LISTED = 200;

export interface RecordingPort {
  readonly home: string;
  readonly sessions: Sessions;
  readonly recorder: Recorder;
  readonly pictures: PictureStore;
  readonly chains: KeptChains;
  /** `--record`: every session is recorded, and none of them is stopped. */
  readonly recordsAll: boolean;
}

/** `/v1/recordings`: what was written to disk, newest first; and which live sessions are recorded. */
export function recordingRoutes({
  home,
  sessions: live,
  recorder,
  pictures,
  chains,
  recordsAll,
}: RecordingPort): Hono {
  const api = new Hono();
  const stateOf = (session: Session) => ({
    recording: recorder.isRecording(session),
    canChange: !recordsAll && !session.isFollowed,
  });
  api.get("/sessions/:id/recording", (c) => c.json(stateOf(live.require(c.req.param("id")))));
  api.post("/sessions/:id/recording", async (c) => {
    const session = live.require(c.req.param("id"));
    if (session.isFollowed)
      throw new BridgeError("not_supported", "an agent writes its own files, which are among the recordings");
    const ready = recorder.record(session);
    pictures.onRecording(session);
    void chains.record(session);
    // What is done after the answer is in the recording.
    await ready;
    return c.json(stateOf(session));
  });
  api.delete("/sessions/:id/recording", (c) => {
    const session = live.require(c.req.param("id"));
    if (recordsAll)
      throw new BridgeError(
        "not_supported",
        "this hub records every session, because it was started with --record",
      );
    recorder.stop(session);
    pictures.onRecording(session);
    chains.stopRecording(session);
    return c.json(stateOf(session));
  });
  api.get("/recordings", (c) => {
    const { sessions } = debugPaths(home);
    const all = readSessions(home).reverse();
    const recordings = all.slice(0, MAX_LISTED).map((session) => summaryOf(session, sessions));
    return c.json({ recordings, omitted: Math.max(0, all.length - MAX_LISTED) });
  });
  return api;
}

function summaryOf(session: SessionFile, sessions: string): RecordingSummary {
  const { id, name, kind, startTime, endTime, provider, model } = session;
  const file = lstatSync(join(sessions, id, "events.jsonl"), { throwIfNoEntry: false });
  return {
    ...{ id, name: name ?? id, kind: kind ?? "agent", startTime, bytes: file?.size ?? 0 },
    isRunning: endTime === undefined && isActive(session),
    ...(endTime === undefined ? {} : { endTime }),
    ...(file ? { lastWrittenAt: file.mtime.toISOString() } : {}),
    ...(provider === undefined ? {} : { agent: [provider, model].filter(Boolean).join("/") }),
  };
}
