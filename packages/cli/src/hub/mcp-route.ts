import { join } from "node:path";
import { HubClient } from "@debug-bridge/client";
import type { Hub } from "@debug-bridge/server";
import { VERSION } from "../version.js";
import { foundOwn } from "./found-own.js";

export interface McpRouteOptions {
  readonly allowExecute: boolean;
  readonly readOnly: boolean;
  /** Without a token everybody on this machine gets here. */
  readonly isOpen: boolean;
  readonly home: string;
}

interface Served {
  fetch(request: Request): Promise<Response>;
  close(): Promise<unknown>;
}

/** `/mcp` of a hub: the MCP server over HTTP, loaded when first requested. */
export class McpRoute {
  private served: Promise<Served> | undefined;

  constructor(
    private readonly getHub: () => Hub,
    private readonly options: McpRouteOptions,
  ) {}

  async handle(request: Request): Promise<Response> {
    this.served ??= this.open();
    return (await this.served).fetch(request);
  }

  async close(): Promise<void> {
    await this.served?.then((served) => served.close()).catch(() => {});
  }

  private async open(): Promise<Served> {
    const [{ createMcpHandler }, { createBridge, EXECUTE_OFF }, { createMcpServer }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("../bridge.js"),
      import("@debug-bridge/mcp"),
    ]);
    const { readOnly, isOpen, allowExecute, home } = this.options;
    const bridge = createBridge({
      ...{ hub: new HubClient({ hub: () => foundOwn(this.getHub()), name: "mcp" }), home, name: "mcp" },
      executeOff: readOnly ? EXECUTE_OFF.readOnly : allowExecute ? undefined : EXECUTE_OFF.overHttp,
      // A client elsewhere does not know where this hub was started.
      reproductions: join(home, "reproductions"),
      // The relay's token must not serve those who have none.
      tabs: !isOpen,
    });
    const handler = createMcpHandler(() => createMcpServer(bridge, VERSION));
    return { fetch: (request) => handler.fetch(request), close: () => bridge.close() };
  }
}
