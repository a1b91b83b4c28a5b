import { BridgeError, FIELD_LIMITS, type SourceExcerpt } from "@debug-bridge/protocol";
import { Hono } from "hono";
import type { Sessions } from "../../sessions/registry.js";
import { wholeNumber } from "../query.js";

/**
 * Reads the code around a place in a script. `page` is the origin that the session is pinned to; nothing of another
 * origin may be read.
 */
export type ReadSource = (
  place: { readonly url: string; readonly line: number; readonly column: number },
  page: string,
) => Promise<SourceExcerpt | undefined>;

/** `/v1/sessions/:id/source?url=&line=&column=`: the code around a place, as it was written. */
export function sourceRoutes(sessions: Sessions, read: ReadSource | undefined): Hono {
  const api = new Hono();
  api.get("/sessions/:id/source", async (c) => {
    const { origin } = sessions.require(c.req.param("id")).summary();
    const url = c.req.query("url") ?? "";
    const [line, column] = [
      wholeNumber(c.req.query("line"), "line", 0),
      wholeNumber(c.req.query("column"), "column", 0),
    ];
    if (url === "" || url.length > FIELD_LIMITS.url || line < 1)
      throw new BridgeError("invalid_message", "give url and line of the place; lines count from 1", {
        field: "url",
      });
    const found = origin === undefined ? undefined : await read?.({ url, line, column }, origin);
    if (!found)
      throw new BridgeError(
        "target_not_found",
        `the code of ${url.slice(0, 200)} cannot be read; it must be on this machine, on the origin of the session's page`,
      );
    return c.json(found);
  });
  return api;
}
