import { createServer } from "node:net";
import { type FoundHub, findHub, type HubAddress, requestedHub, requireHub } from "@debug-bridge/client";
import { BridgeError } from "@debug-bridge/protocol";
import { DEFAULT_PORTS, type Hub, type HubOptions } from "@debug-bridge/server";
import { hubAssets } from "../assets.js";
import { foundOwn } from "./found-own.js";
import { startFullHub } from "./full-hub.js";

interface HubPorts {
  readonly port?: number;
  readonly consolePort?: number;
  readonly relayPort?: number;
}

export interface FindOrStartOptions extends HubAddress, HubPorts {
  /** Whether a hub that is started offers `execute` over HTTP. */
  readonly allowExecute?: boolean;
  /** Called for everything that a hub which is started refuses. */
  readonly onRefused?: HubOptions["onRefused"];
}

/** Finds the hub of a home, or starts one in this process. A port asks for a hub of this process. */
export class HubStarter {
  private own: Hub | undefined;
  private starting: Promise<FoundHub | undefined> | undefined;
  private isClosed = false;

  constructor(
    private readonly options: FindOrStartOptions,
    private readonly onStart: (hub: Hub) => void = () => {},
  ) {}

  /** Whether this process runs the hub. */
  get isOwn(): boolean {
    return this.own !== undefined;
  }

  async findOrStart(): Promise<FoundHub> {
    const { options } = this;
    if (this.own) return foundOwn(this.own);
    if (options.port === undefined) {
      if (requestedHub(options) !== undefined) return requireHub(options);
      const found = await findHub(options);
      if (found) return found;
    }
    if (this.isClosed) throw new BridgeError("cancelled", "no hub was started: this program is ending");
    this.starting ??= this.start().finally(() => {
      this.starting = undefined;
    });
    return (await this.starting) ?? (await this.findOrStart());
  }

  /** Ends the hub of this process, also one that is only starting. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.starting?.catch(() => {});
    await this.own?.close();
    this.own = undefined;
  }

  /** Starts a hub; `undefined` if another process started one for this home at the same moment. */
  private async start(): Promise<FoundHub | undefined> {
    const { home, allowExecute = false, onRefused } = this.options;
    const base = {
      ...(home ? { home } : {}),
      ...(onRefused ? { onRefused } : {}),
      allowExecute,
      assets: hubAssets({ demo: false }),
    };
    const ports = await choosePorts(this.options);
    try {
      this.own = await startFullHub({ ...base, ...ports });
    } catch (thrown) {
      if (BridgeError.from(thrown).code !== "port_in_use" || this.options.port !== undefined) throw thrown;
      if (await findHub(this.options)) return undefined;
      this.own = await startFullHub({ ...base, port: 0, consolePort: 0, relayPort: 0 });
    }
    this.onStart(this.own);
    return foundOwn(this.own);
  }
}

/** The ports that were asked for; for the others the default port if it is free, else any. */
async function choosePorts({ port, consolePort, relayPort }: HubPorts): Promise<Required<HubPorts>> {
  const [hub, console, relay] = await Promise.all([
    port ?? freeOrAny(DEFAULT_PORTS.hub),
    consolePort ?? freeOrAny(DEFAULT_PORTS.console),
    relayPort ?? freeOrAny(DEFAULT_PORTS.relay),
  ]);
  return { port: hub, consolePort: console, relayPort: relay };
}

async function freeOrAny(port: number): Promise<number> {
  return (await isPortFree(port)) ? port : 0;
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
