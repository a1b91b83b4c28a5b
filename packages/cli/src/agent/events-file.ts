import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";
import { chooseSession } from "./choose-session.js";

/** The recording that a person names: a file, a session's folder, its id or the end of it, or `current`. */
export function eventsFile(name: string, dir: string | undefined): string {
  const isThere = existsSync(name);
  if (isThere && statSync(name).isFile()) return name;
  const { events } = isThere
    ? { events: join(name, "events.jsonl") }
    : chooseSession({ session: name, ...(dir === undefined ? {} : { dir }) });
  if (existsSync(events)) return events;
  throw new BridgeError("session_not_found", `${events} is not there; name an events.jsonl or a session`);
}
