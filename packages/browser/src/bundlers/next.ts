import { HubLink } from "../plugin/hub-link.js";
import { claimServer, followNext } from "../plugin/next/next-server.js";
import { type PluginOptions, sessionOf } from "../plugin/options.js";

/** The part of the configuration of Next.js that is used here. */
interface NextConfig {
  readonly env?: Record<string, string | undefined>;
  readonly basePath?: string;
  readonly distDir?: string;
  readonly instrumentationClientInject?: string[];
  // biome-ignore lint/suspicious/noExplicitAny: the configuration of webpack and what Next.js says about it have their own types
  webpack?: ((config: any, about: any) => any) | null | undefined;
}

interface NextContext {
  readonly defaultConfig: object;
}

/** How Next.js asks for a configuration: what it is for, and the defaults. */
type ConfigFunction<Config> = (phase: string, context: NextContext) => Config | Promise<Config>;

interface Compiler {
  readonly context: string;
  readonly webpack: {
    readonly EntryPlugin: new (
      context: string,
      request: string,
      options: { name: undefined },
    ) => { apply(compiler: Compiler): void };
  };
}

const DEVELOPMENT = "phase-development-server";
const PAGE_MODULE = "@debug-bridge/browser/next-client";

/**
 * Puts the bridge into every page of `next dev`, with Turbopack (Next.js 16.3 and later) or webpack, and reports edits. Other commands
 * get the configuration as it is. It is a function, as Next.js takes it: other wrappers go inside.
 *
 * @example
 * // next.config.mjs
 * import { withDebugBridge } from "@debug-bridge/browser/next";
 * export default withDebugBridge({ reactStrictMode: true }, { sessionId: "shop" });
 */
export function withDebugBridge<Config extends NextConfig>(
  config: Config | ConfigFunction<Config>,
  options: PluginOptions = {},
): (phase: string, context: NextContext) => Promise<Config> {
  return async (phase, context) => {
    const own = await (typeof config === "function" ? config(phase, context) : config);
    if (!(options.development ?? phase === DEVELOPMENT)) return own;
    const { process } = globalThis as unknown as {
      process: { cwd(): string; pid: number; env: Record<string, string | undefined> };
    };
    const root = options.root ?? process.cwd();
    const { basePath = "", distDir = ".next" } = own;
    const origin = options.edits === false ? undefined : claimServer(process);
    if (origin) void followNext(options, { root, origin, basePath, distDir }).catch(() => {});
    const { development: _development, edits: _edits, root: _root, ...rest } = options;
    const sessionId = sessionOf(options, root);
    const { url } = await new HubLink(options.url, () => sessionId).state();
    const page = { options: { ...rest, url, sessionId }, root };
    return {
      ...own,
      env: { ...own.env, DEBUG_BRIDGE_PAGE: JSON.stringify(page) },
      ...injection(own, context, process.env.TURBOPACK !== undefined),
    };
  };
}

/** Has every page run the module first. Before 16.3 only webpack has a way. */
function injection(own: NextConfig, { defaultConfig }: NextContext, isTurbopack: boolean): NextConfig {
  if ("instrumentationClientInject" in defaultConfig)
    return { instrumentationClientInject: [PAGE_MODULE, ...(own.instrumentationClientInject ?? [])] };
  if (isTurbopack) {
    console.warn(
      `debug-bridge: this version of Next.js puts nothing into pages of Turbopack; import "${PAGE_MODULE}" in instrumentation-client.ts`,
    );
    return {};
  }
  return {
    webpack(built: { plugins: unknown[] }, about: { isServer: boolean }) {
      const config = own.webpack ? own.webpack(built, about) : built;
      if (!about.isServer) config.plugins.push({ apply: addEntry });
      return config;
    },
  };
}

function addEntry(compiler: Compiler): void {
  new compiler.webpack.EntryPlugin(compiler.context, PAGE_MODULE, { name: undefined }).apply(compiler);
}
