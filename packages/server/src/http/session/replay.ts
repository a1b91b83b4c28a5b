import { readReplay, replayTimes } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import { type Context, Hono } from "hono";
import type { RecordingPort } from "../hub/recordings.js";
import { wholeNumber } from "../query.js";
import { recordingFolder } from "./recording-folder.js";

/** A part of a replay that begins with the whole page. */
interface Segment {
  readonly at: number;
  readonly end: number | undefined;
  parts(): readonly string[];
}

/**
 * `replay` of a session or a recording: how the DOM of the page changed, in the format of rrweb. `?at=TIME` (or `last`)
 * chooses the segment of that moment; `segment=TIME&since=N` leaves out what the reader has of that segment.
 */
export function replayRoutes({ home, sessions, pictures }: RecordingPort): Hono {
  const api = new Hono();
  api.get("/sessions/:id/replay", (c) => {
    const kept = pictures.replay(sessions.require(c.req.param("id")));
    return answer(
      c,
      kept.map(({ at, end, parts }) => ({ at, end, parts: () => parts })),
    );
  });
  api.get("/recordings/:id/replay", (c) => {
    const folder = recordingFolder(home, c.req.param("id"));
    return answer(
      c,
      replayTimes(folder).map(({ at, end }) => ({ at, end, parts: () => readReplay(folder, at) })),
    );
  });
  return api;
}

function answer(c: Context, segments: readonly Segment[]): Response {
  const found = segmentFor(c, segments);
  if (!found)
    throw new BridgeError(
      "target_not_found",
      "there is no replay of this moment; replays of an app with the SDK are made while somebody views or records it",
    );
  const parts = found.parts();
  const isKnown = wholeNumber(c.req.query("segment"), "segment", 0) === found.at;
  const since = isKnown ? wholeNumber(c.req.query("since"), "since", 0) : 0;
  const lists = parts.slice(since).join(",");
  const end = found.end === undefined ? "" : `,"end":${found.end}`;
  const body = `{"segment":${found.at},"next":${parts.length}${end},"lists":[${lists}]}`;
  return c.body(body, 200, { "content-type": "application/json", "cache-control": "no-store" });
}

function segmentFor(c: Context, segments: readonly Segment[]): Segment | undefined {
  const asked = c.req.query("at") ?? "last";
  if (asked === "last") return segments.at(-1);
  const at = wholeNumber(asked, "at", 0);
  return segments.findLast((segment) => segment.at <= at && (segment.end ?? Number.POSITIVE_INFINITY) > at);
}
