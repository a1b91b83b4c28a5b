import { join } from "node:path";
import type { Reproduce } from "@debug-bridge/mcp";
import { BridgeError } from "@debug-bridge/protocol";

/** Clients wait about a minute for a tool, and the first replays need some of it. */
const DEFAULT_MS = 40_000;

export interface ReproduceForTool {
  readonly home: string;
  /** The folder that reproductions are written below. */
  readonly folder: string;
  /** Throws when it is not allowed now. */
  admit(): Promise<void>;
}

/** `record reproduce` for the tool of agents: of recordings of this home, into a folder that the agent does not choose. */
export function reproduceForTool({ home, folder, admit }: ReproduceForTool): Reproduce {
  return async ({ name, maxMs = DEFAULT_MS, ...which }) => {
    await admit();
    // A path could name any file.
    if (name !== undefined && !/^[\w.:@-]+$/.test(name))
      throw new BridgeError(
        "invalid_message",
        "recording is an id, or the end of one; record list shows them",
        {
          field: "recording",
        },
      );
    // Most clients of the tools never reproduce anything.
    const [{ readRecording, reproduce }, { reproductionLines }, { findRecording, recordedEvents }] =
      await Promise.all([
        import("@debug-bridge/runner/reproduce"),
        import("./reproduction-lines.js"),
        import("./find-recording.js"),
      ]);
    const { id, file } = findRecording(name, home, { isPath: false });
    const out = join(folder, id);
    const result = await reproduce({ ...which, recording: readRecording(recordedEvents(file)), out, maxMs });
    return { recording: id, out, ...result, lines: reproductionLines(result, out, {}) };
  };
}
