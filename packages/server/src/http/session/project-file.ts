import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { BridgeError, FIELD_LIMITS } from "@debug-bridge/protocol";
import { Hono } from "hono";
import type { Sessions } from "../../sessions/registry.js";

/**
 * `/v1/project-file?session=&at=`: the file on this machine that code of a session was written in. Not below `/v1/sessions`, which is
 * passed on to the hub that has the session: a path means something only where its file is.
 */
export function projectFileRoutes(sessions: Sessions): Hono {
  const api = new Hono();
  api.get("/project-file", async (c) => {
    const at = c.req.query("at") ?? "";
    if (at === "" || at.length > FIELD_LIMITS.url)
      throw new BridgeError("invalid_message", "give at: the address of a script, or a path in the project", {
        field: "at",
      });
    const session = sessions.require(c.req.query("session") ?? "");
    const { root } = session.edits;
    const path = projectPath(at, session.summary().origin);
    const file = root !== undefined && path !== undefined ? await fileBelow(root, path) : undefined;
    if (file === undefined)
      throw new BridgeError(
        "target_not_found",
        `the file of ${at.slice(0, 200)} is not known; the plugin of the development server reports the folder of a project, on the machine of the hub`,
      );
    return c.json({ file });
  });
  return api;
}

/** The path in the project that an address of the session's own origin names, or the path itself. */
function projectPath(at: string, origin: string | undefined): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(at)) return at;
  if (!URL.canParse(at) || new URL(at).origin !== origin) return undefined;
  try {
    return decodeURIComponent(new URL(at).pathname);
  } catch {
    return undefined;
  }
}

/** A regular file below a folder, not by way of links that lead out of it. Pages name paths, so nothing else is confirmed to exist. */
async function fileBelow(root: string, path: string): Promise<string | undefined> {
  if (!isAbsolute(root) || path.includes("\0")) return undefined;
  try {
    const folder = await realpath(root);
    const real = await realpath(join(folder, path));
    if (!real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return undefined;
    return (await stat(real)).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}
