import { type Context, Hono } from "hono";
import type { PictureStore } from "../../pictures/picture-store.js";
import type { Sessions } from "../../sessions/registry.js";
import { collect, type Shareable, type Stretch } from "../../share/collect.js";
import { sharedHtml } from "../../share/html.js";
import { readProgram } from "../../share/program.js";
import { shareableRecording, shareableSession } from "../../share/shareables.js";
import type { TimelineReaders } from "../../timeline/readers.js";
import type { Asset } from "../app.js";
import { wholeNumber } from "../query.js";
import type { ReadSource } from "./source.js";

export interface SharePort {
  readonly home: string;
  readonly sessions: Sessions;
  readonly timelines: TimelineReaders;
  readonly pictures: PictureStore;
  readonly readSource: ReadSource | undefined;
  readonly assets: ReadonlyMap<string, Asset>;
}

/** `share` of a session or a recording: one HTML file; `share/contents` lists what would be in it. */
export function shareRoutes(port: SharePort): Hono {
  const api = new Hono();
  for (const [path, open] of [
    ["/sessions/:id/share", shareableSession],
    ["/recordings/:id/share", shareableRecording],
  ] as const) {
    const shareable = (c: Context): Shareable => open(c.req.param("id") ?? "", port);
    api.get(`${path}/contents`, async (c) => c.json((await collect(shareable(c), stretchOf(c))).contents));
    api.get(path, async (c) => {
      const program = readProgram(port.assets);
      const html = sharedHtml(await collect(shareable(c), stretchOf(c)), program);
      return c.body(html, 200, {
        "content-type": "text/html; charset=utf-8",
        "content-disposition": "attachment",
        // A browser that shows it here all the same runs nothing: it is for another place than the hub's origin.
        "content-security-policy": "default-src 'none'; sandbox",
      });
    });
  }
  return api;
}

function stretchOf(c: Context): Stretch {
  const number = (name: string): number | undefined =>
    c.req.query(name) === undefined ? undefined : wholeNumber(c.req.query(name), name, 0);
  return { from: number("from"), to: number("to") };
}
