import { imageInfo, type PictureTime, pictureTimes, readPicture } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import { type Context, Hono } from "hono";
import type { RecordingPort } from "../hub/recordings.js";
import { wholeNumber } from "../query.js";
import { eventStream } from "../sse.js";
import { PICTURE_HEADERS } from "./look.js";
import { recordingFolder } from "./recording-folder.js";

/** Pictures of a timeline: their times and where they end, oldest first, and each by its time. */
interface Frames {
  readonly times: readonly PictureTime[];
  read(at: number): Buffer | undefined;
}

/**
 * `frames` of a session or a recording: what the page looked like. With `?at=TIME` the picture of that moment, which is the
 * newest one before it, with `?at=last` the newest; without, from when to when there are pictures. `frames/now` says when
 * something new came last, for readers who ask again and again: browsers open few streams at a time. `frames/live` reports new ones; a page sends pictures while it is
 * open.
 */
export function frameRoutes({ home, sessions, pictures }: RecordingPort): Hono {
  const api = new Hono();
  const ofSession = (id: string): Frames => {
    const kept = pictures.pictures(sessions.require(id));
    return {
      times: kept.map(({ at, bytes }) => ({ at, isEnd: bytes.length === 0 })),
      read: (at) => kept.findLast((each) => each.at === at)?.bytes,
    };
  };
  const ofRecording = (id: string): Frames => {
    const folder = recordingFolder(home, id);
    return { times: pictureTimes(folder), read: (at) => readPicture(folder, at) };
  };
  api.get("/sessions/:id/frames", (c) => answer(c, ofSession(c.req.param("id"))));
  api.get("/recordings/:id/frames", (c) => answer(c, ofRecording(c.req.param("id"))));
  api.get("/sessions/:id/frames/now", (c) => {
    const changedAt = pictures.shortWatch(sessions.require(c.req.param("id")));
    return c.json(changedAt === undefined ? {} : { changedAt });
  });
  api.get("/sessions/:id/frames/live", (c) => {
    const session = sessions.require(c.req.param("id"));
    return eventStream((send) => pictures.look(session, (at) => void send(JSON.stringify({ at }))));
  });
  return api;
}

function answer(c: Context, { times, read }: Frames): Response {
  const asked = c.req.query("at");
  const pictured = times.filter(({ isEnd }) => !isEnd);
  const [first] = pictured;
  if (asked === undefined) {
    const ends = first ? { first: first.at, last: pictured.at(-1)?.at } : {};
    return c.json({ count: pictured.length, ...ends });
  }
  const moment = asked === "last" ? (pictured.at(-1)?.at ?? 0) : wholeNumber(asked, "at", 0);
  const found = times.findLast(({ at }) => at <= moment);
  const bytes = found && !found.isEnd ? read(found.at) : undefined;
  if (!found || !bytes || imageInfo(bytes)?.mimeType !== "image/jpeg")
    throw new BridgeError("target_not_found", noPicture(first, found));
  return c.body(new Uint8Array(bytes), 200, {
    ...PICTURE_HEADERS,
    "content-type": "image/jpeg",
    "x-debug-bridge-at": String(found.at),
  });
}

function noPicture(first: PictureTime | undefined, found: PictureTime | undefined): string {
  if (!first)
    return "there is no picture; pictures of a tab or a launched Chrome are taken while somebody views or records it";
  return found
    ? `no pictures were taken then; they were until ${found.at}`
    : `there is no picture that early; the first one is of ${first.at}`;
}
