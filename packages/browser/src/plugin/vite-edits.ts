import type { BuildError } from "@debug-bridge/protocol";
import { EDIT } from "./channel.js";
import type { DevServer } from "./dev-server.js";
import { withoutColors } from "./plain-text.js";
import type { ViteDevServer, ViteEnvironment, ViteError, VitePayload, ViteSender } from "./vite-api.js";

/**
 * Once Vite has asked its plugins about a file it sends its update at once. What it has sent nothing for after this time, neither it
 * nor a plugin that sends updates of its own will.
 */
const QUIET_MS = 400;
/** Versions and files exist that Vite asks no plugin about. */
const UNASKED_MS = 10_000;
const IGNORED = /(?:^|\/)(?:node_modules|\.[^/]+)(?:\/|$)|\.log$|~$/;

interface PendingFile {
  readonly environments: Set<string>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Follows the files that a development server of Vite watches, and what it tells pages about them. */
export class ViteEdits {
  /** Saved files, and what Vite has not asked about them yet. */
  private files = new Map<string, PendingFile>();
  private readonly environments: Readonly<Record<string, ViteEnvironment>>;
  private readonly client: ViteEnvironment;

  constructor(
    private readonly vite: ViteDevServer,
    private readonly server: DevServer,
  ) {
    // Before Vite 6 the server itself is the only one.
    this.environments = vite.environments ?? { client: vite };
    this.client = this.environments.client ?? vite;
  }

  follow(): void {
    for (const event of ["change", "add", "unlink"])
      this.vite.watcher.on(event, (file) => this.onFile(file.replaceAll("\\", "/")));
    this.wrap(this.vite.ws);
    if (this.client.hot) this.wrap(this.client.hot);
  }

  /** Vite asks plugins which modules a file changes, in each environment, right before it sends its update. */
  onAsked(file: string, environment = "client"): void {
    const pending = this.files.get(file);
    if (!pending?.environments.delete(environment) || pending.environments.size > 0) return;
    this.decideAfter(QUIET_MS, file, pending);
  }

  private onFile(file: string): void {
    const { root } = this.server;
    const { config } = this.vite;
    // A change of the configuration starts the server again, with a plugin of its own.
    const isOfConfig = file === config.configFile || config.configFileDependencies?.includes(file);
    if (isOfConfig || !file.startsWith(root) || IGNORED.test(file.slice(root.length))) return;
    clearTimeout(this.files.get(file)?.timer);
    const isAsked = config.server?.hmr !== false;
    const pending = {
      environments: new Set(isAsked ? Object.keys(this.environments) : []),
      timer: undefined,
    };
    this.files.set(file, pending);
    this.decideAfter(isAsked ? UNASKED_MS : QUIET_MS, file, pending);
  }

  private decideAfter(ms: number, file: string, pending: PendingFile): void {
    clearTimeout(pending.timer);
    pending.timer = setTimeout(() => this.onQuiet(file), ms);
    (pending.timer as { unref?(): void }).unref?.();
  }

  /** Nothing was sent because of a file. Whether a page uses it is in the modules that pages and servers have asked for. */
  private onQuiet(file: string): void {
    this.files.delete(file);
    // Modules of a server that bundles are not in the graph: then nothing is known.
    if (this.vite.config.experimental?.bundledDev) return;
    const isUsed = Object.values(this.environments).some(
      ({ moduleGraph }) => [...(moduleGraph?.getModulesByFile(file) ?? [])].length > 0,
    );
    this.server.saved({ files: [file], outcome: isUsed ? "no_update" : "unused" });
  }

  private take(): string[] {
    const files = [...this.files.keys()];
    for (const { timer } of this.files.values()) clearTimeout(timer);
    this.files.clear();
    return files;
  }

  /** Sees what the server sends to pages, before they get it. */
  private wrap(sender: ViteSender): void {
    const send = sender.send.bind(sender);
    sender.send = (...args) => {
      const [payload] = args;
      if (typeof payload === "object" && payload !== null)
        this.onPayload(payload as VitePayload, (edit) => send(edit));
      send(...args);
    };
  }

  private onPayload({ type, err }: VitePayload, send: (payload: object) => void): void {
    if (type === "error" && err) this.onError(err);
    if ((type !== "update" && type !== "full-reload") || this.files.size === 0) return;
    const files = this.take();
    const id = this.server.nextEditId();
    send({ type: "custom", event: EDIT, data: { id } });
    if (type === "full-reload") this.server.saved({ id, files, outcome: "full_reload" });
    else void this.onUpdate(id, files);
  }

  /** An error that a plugin throws when it is asked about a file comes instead of an update. */
  private onError(err: ViteError): void {
    const file = err.loc?.file ?? err.id?.replace(/\?.*$/, "") ?? "";
    const error = buildError(err);
    if (this.files.size === 0) this.server.brokenAtStart(error);
    else if (this.files.has(file)) this.server.saved({ files: this.take(), outcome: "build_error", error });
  }

  /**
   * The server tells pages to fetch what changed before it has built it. It is built here too, at the same time and only once, so that
   * it is known whether that works.
   */
  private async onUpdate(id: string, files: readonly string[]): Promise<void> {
    const modules = files.flatMap((file) => [...(this.client.moduleGraph?.getModulesByFile(file) ?? [])]);
    const builds = await Promise.allSettled(modules.map(({ url }) => this.client.transformRequest(url)));
    const failed = builds.find((build) => build.status === "rejected");
    if (failed)
      this.server.saved({ id, files, outcome: "build_error", error: buildError(failed.reason as ViteError) });
    else this.server.saved({ id, files, outcome: "hot_update" });
  }
}

/** How bundlers begin a message that says nothing about the error itself. */
const GENERAL = /^(?:Transform|Build|Module build) failed\b/;
/** The place of an error in the text around it, when it is not given as data. */
const PLACE = /:(\d+):(\d+)/;

function buildError({ message = "", id, frame = "", loc = {} }: ViteError): BuildError {
  const lines = withoutColors(message).split("\n");
  const said = lines.find((line) => line.trim() !== "" && !GENERAL.test(line)) ?? lines[0] ?? "";
  const rest = frame || lines.slice(lines.indexOf(said) + 1).join("\n");
  const [, line, column] = PLACE.exec(withoutColors(rest)) ?? [];
  const file = loc.file ?? id;
  return {
    message: said.replace(/^\[\w+\] /, "").trim(),
    ...(file ? { file } : {}),
    ...((loc.line ?? line) ? { line: loc.line ?? Number(line) } : {}),
    ...((loc.column ?? column) ? { column: loc.column ?? Number(column) } : {}),
    ...(rest ? { frame: rest } : {}),
  };
}
