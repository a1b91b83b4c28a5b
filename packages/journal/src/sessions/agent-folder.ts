import { join } from "node:path";
import type { SessionFile } from "@debug-bridge/protocol";
import { AppendFile, appendLine } from "../lines/append-file.js";
import { BlobStore } from "../lines/blobs.js";
import { setCurrent } from "./current.js";
import { drainLaterCommands } from "./later.js";
import { processStart } from "./liveness.js";
import { newFolder, writeSession } from "./session-folder.js";
import { refreshIndex } from "./sessions.js";

export interface AgentFolderOptions {
  readonly cwd?: string;
  readonly name?: string;
  readonly provider?: string;
  readonly model?: string;
  /** The process that the session belongs to, if it is not this one. */
  readonly pid?: number;
  /** Whether it gets the breakpoints that were added for agents that start later; by default it does. */
  readonly later?: boolean;
  /** Additional fields of `session.json`. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/**
 * The folder of an agent that can be debugged: `session.json`, `events.jsonl`, `commands.jsonl` and `blobs`. While it
 * is open, the session is in the index. The session that was opened last is `current`.
 */
export class AgentFolder {
  readonly events: AppendFile;
  readonly blobs: BlobStore;
  readonly commandsFile: string;

  private constructor(
    readonly root: string,
    readonly path: string,
    private session: SessionFile,
  ) {
    this.events = new AppendFile(join(path, "events.jsonl"));
    this.commandsFile = join(path, "commands.jsonl");
    new AppendFile(this.commandsFile).close();
    this.blobs = new BlobStore(path);
  }

  static create(root: string, options: AgentFolderOptions = {}): AgentFolder {
    const now = new Date();
    const { id, path } = newFolder(root, now);
    const pid = options.pid ?? process.pid;
    const started = processStart(pid);
    const folder = new AgentFolder(root, path, {
      id,
      pid,
      startTime: now.toISOString(),
      cwd: options.cwd ?? process.cwd(),
      kind: "agent",
      ...(options.name === undefined ? {} : { name: options.name }),
      ...(options.provider === undefined ? {} : { provider: options.provider }),
      ...(options.model === undefined ? {} : { model: options.model }),
      ...(started === undefined ? {} : { processStart: started }),
      ...options.more,
    });
    if (options.later !== false)
      for (const command of drainLaterCommands(root))
        appendLine(folder.commandsFile, JSON.stringify(command));
    // Create all files before the session is listed.
    writeSession(path, folder.session);
    setCurrent(root, id);
    refreshIndex(root);
    return folder;
  }

  get id(): string {
    return this.session.id;
  }

  /** Ends the session: removes it from the index and keeps its folder. */
  close(): void {
    this.events.close();
    this.session = { ...this.session, endTime: new Date().toISOString() };
    writeSession(this.path, this.session);
    refreshIndex(this.root);
  }
}
