import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { BridgeError } from "@debug-bridge/protocol";
import { chooseSession, type RootChoice } from "../session/choose-session.js";

/** The recording with this name: a file, a session's folder, an id or the end of one, or `current`. */
export function eventsFile(name: string, choice: RootChoice): string {
  const exists = existsSync(name);
  if (exists && statSync(name).isFile()) return name;
  const { events } = exists
    ? { events: join(name, "events.jsonl") }
    : chooseSession({ ...choice, session: name });
  if (existsSync(events)) return events;
  throw new BridgeError("session_not_found", `${events} does not exist; name an events.jsonl or a session`);
}
