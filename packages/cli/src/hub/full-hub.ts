import type { PageRenderer, SourceMaps } from "@debug-bridge/runner";
import { type Hub, type HubOptions, homeFolder, type RouteHandler, startHub } from "@debug-bridge/server";
import { drawPageScript } from "../assets.js";
import { ownProviders } from "../chat/providers.js";
import { refreshExtension } from "../extension/folder.js";
import { sourceLocator } from "../source-locator.js";
import { printMessage } from "../terminal/output.js";
import { BrowserRoute } from "./browser-route.js";
import { McpRoute } from "./mcp-route.js";
import { type OfferedBrowsers, offeredBrowsers } from "./offered-browsers.js";

/** Scripts change while an app is developed, under the same address: their maps are used for one burst of questions. */
const MAPS_AGE_MS = 1_000;

export interface FullHubOptions extends HubOptions {
  /** Whether `execute` is offered at `/mcp`. */
  readonly allowExecute?: boolean;
  /** Whether launched browsers may open files of this machine as pages. */
  readonly allowFiles?: boolean;
  /** Browsers that this hub starts for clients of all hubs of its bus. */
  readonly offered?: Pick<OfferedBrowsers, "count" | "addresses" | "labels">;
}

/**
 * A hub with everything that the command line adds to it: launched browsers at `/v1/browser-action` and the MCP server
 * at `/mcp`. Both are loaded when first requested.
 */
export async function startFullHub({
  allowExecute = false,
  allowFiles = false,
  offered,
  ...options
}: FullHubOptions): Promise<Hub> {
  const home = homeFolder(options.home);
  const getHub = (): Hub => hub;
  const browserRoute = new BrowserRoute(getHub, { allowFiles, home });
  const mcpRoute = new McpRoute(getHub, {
    allowExecute,
    readOnly: options.readOnly === true,
    isOpen: options.auth === "none",
    home,
  });
  const routes = new Map<string, RouteHandler>([
    ["/v1/browser-action", (request) => browserRoute.handle(request)],
    ["/mcp", (request) => mcpRoute.handle(request)],
  ]);
  let renderer: PageRenderer | undefined;
  let maps: Promise<SourceMaps> | undefined;
  let readAt = 0;
  const sources = (): Promise<SourceMaps> => {
    if (!maps || Date.now() - readAt > MAPS_AGE_MS) {
      readAt = Date.now();
      maps = import("@debug-bridge/runner").then(({ SourceMaps }) => new SourceMaps());
    }
    return maps;
  };
  const hub: Hub = await startHub({
    ...options,
    routes,
    ...(offered === undefined ? {} : { browsers: await offeredBrowsers({ ...offered, home, allowFiles }) }),
    readSource: (place, page) => sources().then((maps) => maps.excerpt(place, page)),
    locateSource: sourceLocator(),
    renderPage: async (page, how) => {
      const { PageRenderer } = await import("@debug-bridge/runner");
      renderer ??= new PageRenderer({ script: drawPageScript() });
      return renderer.render(page, how);
    },
    chatProviders: await ownProviders(home),
  });
  refreshCopy(home);
  const stopSpool = (await import("@debug-bridge/agent/hook")).followSpool(home);

  return {
    ...hub,
    // It may be replaced while the hub runs.
    get token() {
      return hub.token;
    },
    async close() {
      stopSpool();
      await browserRoute.close();
      await renderer?.close();
      await mcpRoute.close();
      await hub.close();
    },
  };
}

/** A copy of the extension in the home gets the files of this version. The hub works without one. */
function refreshCopy(home: string): void {
  try {
    refreshExtension(home);
  } catch (thrown) {
    printMessage(`the extension in ${home} could not be updated: ${(thrown as Error).message}`);
  }
}
