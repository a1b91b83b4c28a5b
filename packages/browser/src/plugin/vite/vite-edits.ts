import type { BuildError } from "@debug-bridge/protocol";
import { withoutColors } from "../builds/plain-text.js";
import { EDIT, type EditNotice } from "../channel.js";
import type { DevServer } from "../dev-server.js";
import type {
  ViteDevServer,
  ViteEnvironment,
  ViteError,
  ViteModule,
  VitePayload,
  ViteSender,
} from "./vite-api.js";

/**
 * Once Vite has asked its plugins about a file it sends its update at once. What it has sent nothing for after this time, neither it
 * nor a plugin that sends updates by itself.
 */
const QUIET_MS = 400;
/** Versions and files exist that Vite asks no plugin about. */
const UNREQUESTED_TIMEOUT_MS = 10_000;
/** A page that is loaded again needs more time until it asks for modules. */
const BUILD_AFTER_MS = { hot_update: 20, full_reload: 60 } as const;
const DISPOSES = /\bhot\s*(?:\?\.|!?\.)\s*(?:dispose|prune)\b/;
const IGNORED = /(?:^|\/)(?:node_modules|\.[^/]+)(?:\/|$)|\.log$|~$/;

interface PendingFile {
  readonly environments: Set<string>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Follows the files that a development server of Vite watches, and what it sends to pages about them. */
export class ViteEdits {
  /** Whether code of the app disposes of something when it is replaced. */
  private disposes = false;
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

  /** Code of the app that is about to be sent to pages. */
  onCode(code: string): void {
    this.disposes ||= DISPOSES.test(code);
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
    // A change of the configuration starts the server again, with a new plugin.
    const isOfConfig = file === config.configFile || config.configFileDependencies?.includes(file);
    if (isOfConfig || !file.startsWith(root) || IGNORED.test(file.slice(root.length))) return;
    clearTimeout(this.files.get(file)?.timer);
    const isAsked = config.server?.hmr !== false;
    const pending = {
      environments: new Set(isAsked ? Object.keys(this.environments) : []),
      timer: undefined,
    };
    this.files.set(file, pending);
    this.decideAfter(isAsked ? UNREQUESTED_TIMEOUT_MS : QUIET_MS, file, pending);
  }

  private decideAfter(ms: number, file: string, pending: PendingFile): void {
    clearTimeout(pending.timer);
    pending.timer = setTimeout(() => void this.onQuiet(file), ms);
    (pending.timer as { unref?(): void }).unref?.();
  }

  /** Nothing was sent because of a file. Whether a page uses it is in the modules that pages and servers have asked for. */
  private async onQuiet(file: string): Promise<void> {
    this.files.delete(file);
    // Modules of a server that bundles are not in the graph: then nothing is known.
    if (this.vite.config.experimental?.bundledDev) return;
    const isUsed = Object.values(this.environments).some(
      ({ moduleGraph }) => [...(moduleGraph?.getModulesByFile(file) ?? [])].length > 0,
    );
    // A plugin that cannot build a file may keep that to itself, and send nothing.
    const error = isUsed ? await this.errorOf([file]) : undefined;
    if (error) this.server.saved({ files: [file], outcome: "build_error", error });
    else this.server.saved({ files: [file], outcome: isUsed ? "no_update" : "unused" });
  }

  private drain(): string[] {
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
    const files = this.drain();
    const id = this.server.nextEditId();
    const data: EditNotice = { id, disposes: this.disposes };
    send({ type: "custom", event: EDIT, data });
    void this.onUpdate(id, files, type === "full-reload" ? "full_reload" : "hot_update");
  }

  /** An error that a plugin throws when it is asked about a file comes instead of an update. */
  private onError(err: ViteError): void {
    const file = err.loc?.file ?? err.id?.replace(/\?.*$/, "") ?? "";
    const error = buildError(err);
    if (this.files.size === 0) this.server.brokenAtStart(error);
    else if (this.files.has(file)) this.server.saved({ files: this.drain(), outcome: "build_error", error });
  }

  /**
   * The server asks pages to fetch what changed, or to load again, before it has built it. It is built here too, so that it is known
   * whether that works: a moment later, when pages have asked for it. A file that is still being written would be built as it is then.
   */
  private async onUpdate(
    id: string,
    files: readonly string[],
    outcome: "hot_update" | "full_reload",
  ): Promise<void> {
    const at = Date.now();
    await new Promise((resolve) => setTimeout(resolve, BUILD_AFTER_MS[outcome]));
    const error = await this.errorOf(files);
    if (error) this.server.saved({ id, files, at, outcome: "build_error", error });
    else this.server.saved({ id, files, at, outcome });
  }

  /** What is wrong with files, wherever code runs that uses them. */
  private async errorOf(files: readonly string[]): Promise<BuildError | undefined> {
    const environments = Object.values(this.environments);
    const builds = await Promise.allSettled(
      files.flatMap((file) =>
        environments.flatMap((environment) => buildsOf(environment, file, environment === this.client)),
      ),
    );
    const failed = builds.find((build) => build.status === "rejected");
    return failed && buildError(failed.reason as ViteError);
  }
}

/** Builds the modules of a file, where code runs that uses it. */
function buildsOf(environment: ViteEnvironment, file: string, isOfPages: boolean): Promise<unknown>[] {
  const modules = [...(environment.moduleGraph?.getModulesByFile(file) ?? [])];
  return modules.map((module) => buildOf(environment, module, isOfPages));
}

/**
 * A server that runs code keeps what it ran, and asks only whether the module was built since. Built here and not by it, the module
 * would look as if the server had run it already, and pages would be rendered with the old code.
 */
async function buildOf(environment: ViteEnvironment, module: ViteModule, isOfPages: boolean): Promise<void> {
  const isBuilt = Boolean(module.transformResult);
  await environment.transformRequest(module.url);
  if (!isOfPages && !isBuilt) environment.moduleGraph?.invalidateModule?.(module);
}

const IS_WHOLE = /^(?:\/|[a-zA-Z]:)/;

/** A message without the place that it begins with, which is shown anyway. */
function withoutPlace(message: string, file = ""): string {
  const path = file.replace(/\?.*$/, "");
  return path !== "" && message.startsWith(path)
    ? message.slice(path.length).replace(/^(?::\d+)*:?\s+/, "")
    : message;
}

/** How bundlers begin a message that says nothing about the error itself. */
const GENERAL = /^(?:Transform|Build|Module build) failed\b/;
/** The place of an error in the text around it, when it is not given as data. */
const PLACE = /:(\d+):(\d+)/;

function buildError({ message = "", id, frame = "", loc = {} }: ViteError): BuildError {
  const lines = withoutColors(message).split("\n");
  const messageLine = lines.find((line) => line.trim() !== "" && !GENERAL.test(line)) ?? lines[0] ?? "";
  const rest = frame || lines.slice(lines.indexOf(messageLine) + 1).join("\n");
  const [, line, column] = PLACE.exec(withoutColors(rest)) ?? [];
  // Some compilers know the name of the file only.
  const file = [loc.file, id].find((each) => each !== undefined && IS_WHOLE.test(each)) ?? loc.file ?? id;
  return {
    message: withoutPlace(messageLine.replace(/^\[\w+\] /, ""), file).trim(),
    ...(file ? { file } : {}),
    ...((loc.line ?? line) ? { line: loc.line ?? Number(line) } : {}),
    ...((loc.column ?? column) ? { column: loc.column ?? Number(column) } : {}),
    ...(rest ? { frame: rest } : {}),
  };
}
