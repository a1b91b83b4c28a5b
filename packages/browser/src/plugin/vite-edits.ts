import type { BuildError } from "@debug-bridge/protocol";
import { EDIT } from "./channel.js";
import type { DevServer } from "./dev-server.js";
import { withoutColors } from "./plain-text.js";
import type { ViteDevServer, ViteEnvironment, ViteError, VitePayload, ViteSender } from "./vite-api.js";

/** A file that led to no update in this time is used by no page. */
const UNUSED_MS = 400;
const IGNORED = /(?:^|\/)(?:node_modules|\.[^/]+)(?:\/|$)|\.log$|~$/;

/** Follows the files that a development server of Vite watches, and what it tells pages about them. */
export class ViteEdits {
  private files = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly client: ViteEnvironment;

  constructor(
    private readonly vite: ViteDevServer,
    private readonly server: DevServer,
  ) {
    this.client = vite.environments?.client ?? vite;
  }

  follow(): void {
    for (const event of ["change", "add", "unlink"])
      this.vite.watcher.on(event, (file) => this.onFile(file.replaceAll("\\", "/")));
    this.wrap(this.vite.ws);
    if (this.client.hot) this.wrap(this.client.hot);
  }

  private onFile(file: string): void {
    const { root } = this.server;
    if (!file.startsWith(root) || IGNORED.test(file.slice(root.length))) return;
    this.files.add(file);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.server.saved({ files: this.take(), outcome: "unused" }), UNUSED_MS);
    (this.timer as { unref?(): void }).unref?.();
  }

  private take(): string[] {
    clearTimeout(this.timer);
    const files = [...this.files];
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
    if (type === "error" && err && this.files.size === 0) this.server.brokenAtStart(buildError(err));
    if ((type !== "update" && type !== "full-reload") || this.files.size === 0) return;
    const files = this.take();
    const id = this.server.nextEditId();
    send({ type: "custom", event: EDIT, data: { id } });
    if (type === "full-reload") this.server.saved({ id, files, outcome: "full_reload" });
    else void this.onUpdate(id, files);
  }

  /**
   * The server tells pages to fetch what changed before it has built it. It is built here too, at the same time and only once, so that
   * it is known whether that works.
   */
  private async onUpdate(id: string, files: readonly string[]): Promise<void> {
    const modules = files.flatMap((file) => [...(this.client.moduleGraph.getModulesByFile(file) ?? [])]);
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
