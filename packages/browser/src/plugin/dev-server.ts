import type { BuildError, Edit, ServerLog } from "@debug-bridge/protocol";
import { withoutColors } from "./builds/plain-text.js";
import { HubLink } from "./hub-link.js";
import { type PluginOptions, sessionOf } from "./options.js";
import { type PageImports, pageModule } from "./page/page-module.js";

const MAX_FILES = 100;
const MAX_TEXT = 4_000;

/** Files of a project, as paths from its root with slashes. */
function projectPath(root: string, file: string): string {
  const path = file.replaceAll("\\", "/").replace(/\?.*$/, "");
  const base = `${root.replaceAll("\\", "/").replace(/\/$/, "")}/`;
  return path.startsWith(base) ? path.slice(base.length) : path;
}

/** What happened to saved files, before its id and its paths are known to the hub. */
export interface SavedFiles {
  readonly id?: string;
  readonly files: readonly string[];
  readonly outcome: Edit["outcome"];
  /** When pages were notified, if that was not just now. */
  readonly at?: number;
  readonly error?: BuildError | undefined;
  /** The whole project was built, so that every earlier error is gone if there is none now. */
  readonly isWhole?: boolean;
}

/** What a development server of any bundler reports to the hub. */
export class DevServer {
  root = "";
  readonly link: HubLink;
  /** Build errors that are there now, by file. */
  private readonly broken = new Map<string, string>();
  private edits = 0;

  constructor(
    readonly options: PluginOptions,
    private readonly bundler: string,
  ) {
    this.link = new HubLink(options.url, () => this.sessionId);
  }

  get sessionId(): string {
    return sessionOf(this.options, this.root);
  }

  start(root: string): void {
    this.root = this.options.root ?? root;
    this.link.report({ type: "dev_server", bundler: this.bundler, root: this.root.slice(0, 500) });
  }

  /** The module that connects pages to a hub. */
  pageModule(url: string | readonly string[], imports: PageImports): string {
    return pageModule({ ...this.options, url, sessionId: this.sessionId }, this.root, imports);
  }

  /** The path of a file from the root of the project. */
  pathOf(file: string): string {
    return projectPath(this.root, file);
  }

  /** Where the app is shown, for the lines that a server prints when it starts. */
  async banner(): Promise<string> {
    const url = await this.link.dashboard();
    return url ? `${url} (session ${this.sessionId})` : 'no hub is running; start one with "debug-bridge up"';
  }

  nextEditId(): string {
    return `edit-${Date.now().toString(36)}-${++this.edits}`;
  }

  saved({
    id = this.nextEditId(),
    files,
    outcome,
    at = Date.now(),
    error,
    isWhole = false,
  }: SavedFiles): void {
    const paths = [...new Set(files.map((file) => projectPath(this.root, file)))].slice(0, MAX_FILES);
    if (paths.length === 0 || this.options.edits === false) return;
    const fixed = outcome === "build_error" ? [] : this.drainFixed(paths, isWhole);
    const plain = error && this.plainError(error);
    if (plain) this.broken.set(plain.file ?? (paths[0] as string), plain.message);
    this.link.report({
      ...{ type: "edit", id, files: paths, outcome, at },
      ...(plain ? { error: plain } : {}),
      ...(fixed.length > 0 ? { fixed: fixed.slice(0, 20) } : {}),
    });
  }

  log(level: ServerLog["level"], line: string): void {
    const text = withoutColors(line).trim().slice(0, MAX_TEXT);
    if (text !== "") this.link.report({ type: "server_log", level, text });
  }

  /** An error that no edit brought: it was there when the server started. */
  brokenAtStart(error: BuildError): void {
    const plain = this.plainError(error);
    this.broken.set(plain.file ?? "", plain.message);
  }

  private drainFixed(files: readonly string[], isWhole: boolean): string[] {
    const fixed = [...this.broken].filter(([file]) => isWhole || files.includes(file));
    for (const [file] of fixed) this.broken.delete(file);
    return fixed.map(([, message]) => message);
  }

  private plainError({ message, file, frame, ...place }: BuildError): BuildError {
    return {
      message: withoutColors(message).slice(0, MAX_TEXT),
      ...(file === undefined ? {} : { file: projectPath(this.root, file) }),
      ...place,
      ...(frame === undefined ? {} : { frame: shortFrame(withoutColors(frame)) }),
    };
  }
}

const FRAME_LINES = 7;

/** The lines around the marked one: bundlers print more than an answer has room for. */
function shortFrame(frame: string): string {
  const lines = frame.split("\n").filter((line) => /[\w^]/.test(line));
  const mark = Math.max(
    lines.findIndex((line) => /^\s*(?:[|│┆·]\s*)?[\^~─┬]/.test(line.replace(/^\s*\d*\s*/, ""))),
    lines.findIndex((line) => line.trimStart().startsWith(">")),
  );
  const from = Math.max(0, Math.max(mark, 0) - 3);
  return lines
    .slice(from, from + FRAME_LINES)
    .map((line) => line.slice(0, 160))
    .join("\n");
}
