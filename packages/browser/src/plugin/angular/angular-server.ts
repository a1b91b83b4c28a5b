import { backoffDelay } from "@debug-bridge/protocol";
import { DevServer } from "../dev-server.js";
import type { PluginOptions } from "../options.js";
import { followFiles } from "../page/project-files.js";
import { AngularEdits } from "./angular-edits.js";
import { readAngular } from "./angular-messages.js";

const RETRY = { firstMs: 1_000, maxMs: 1_000 };
/** How Vite, which is below, calls what it speaks. */
const SUBPROTOCOL = "vite-hmr";

interface Socket {
  on(event: string, listener: (data: { toString(): string }) => void): void;
}

/** Follows edits in a development server of Angular, and listens to it the way a page does. */
export class AngularServer {
  private readonly server: DevServer;
  private readonly edits: AngularEdits;
  private isFollowing = false;

  constructor(options: PluginOptions, root: string) {
    this.server = new DevServer(options, "angular");
    this.edits = new AngularEdits(this.server);
    this.server.start(root);
  }

  /** What the page has to know. */
  async page(): Promise<object> {
    const { development: _development, edits: _edits, root: _root, ...rest } = this.server.options;
    const { url } = await this.server.link.state();
    return { options: { ...rest, url, sessionId: this.server.sessionId }, root: this.server.root };
  }

  /** A build has ended; the first one starts the server. */
  async onBuilt(address: string | undefined, print: (line: string) => void): Promise<void> {
    this.edits.onBuilt();
    if (this.isFollowing || !address) return;
    this.isFollowing = true;
    print(`Debug Bridge: ${await this.server.banner()}`);
    await followFiles(
      this.server.root,
      (path) => /^dist(?:\/|$)/.test(path),
      (file) => this.edits.onFile(file),
    );
    const { WebSocket } = (await import("ws" as string)) as {
      WebSocket: new (url: string, protocol: string) => Socket;
    };
    const open = (): void => {
      const socket = new WebSocket(address.replace(/^http/, "ws"), SUBPROTOCOL);
      socket.on("message", (data) => {
        const event = readAngular(data.toString());
        if (event) this.edits.onEvent(event);
      });
      socket.on("error", () => {});
      socket.on("close", () => (setTimeout(open, backoffDelay(0, RETRY)) as { unref?(): void }).unref?.());
    };
    open();
  }
}
