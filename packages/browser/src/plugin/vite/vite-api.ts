import type { Middleware } from "../page/page-files.js";
import type { PageChannel } from "../report-hub.js";

/** The parts of Vite that are used here, so that Vite itself is no dependency. */
export interface ViteHooks {
  apply(config: { readonly build?: { readonly ssr?: unknown } }, about: { command: string }): boolean;
  configResolved(config: ResolvedViteConfig): void;
  configureServer(server: ViteDevServer): void;
  /** The hook of Vite 6 and newer, called once per environment. */
  readonly hotUpdate: {
    readonly order: "post";
    handler(
      this: { readonly environment?: { readonly name: string } },
      about: { readonly file: string },
    ): void;
  };
  /** The hook of older versions. */
  readonly handleHotUpdate: {
    readonly order: "post";
    handler(about: { readonly file: string }): void;
  };
  readonly transform: {
    readonly order: "pre";
    handler(
      code: string,
      id: string,
      options?: { ssr?: boolean },
    ): string | undefined | Promise<string | undefined>;
  };
  readonly transformIndexHtml: {
    handler(): { tag: string; attrs: Record<string, string>; injectTo: "head-prepend" }[];
  };
}

type Print = (line: string, ...rest: unknown[]) => void;

export interface ResolvedViteConfig {
  readonly root: string;
  /** The path that all addresses of the server begin with. */
  readonly base?: string;
  readonly isProduction?: boolean;
  readonly plugins?: readonly { readonly name: string }[];
  readonly server?: { readonly hmr?: unknown };
  readonly configFile?: string | false | undefined;
  readonly configFileDependencies?: readonly string[];
  readonly experimental?: { readonly bundledDev?: unknown };
  readonly logger?: { info: Print; warn: Print; error: Print };
}

/** What the server sends to pages. */
export interface VitePayload {
  readonly type: string;
  readonly err?: ViteError;
}

/** An error of a transform: of Vite, of a plugin, or of the compiler below. */
export interface ViteError {
  readonly message?: string;
  readonly id?: string;
  readonly frame?: string;
  readonly loc?: { readonly file?: string; readonly line?: number; readonly column?: number };
}

export interface ViteSender {
  send(...args: unknown[]): void;
}

export interface ViteModule {
  readonly url: string;
  /** What was built of it; nothing after it was changed. */
  readonly transformResult?: unknown;
}

interface ViteModules {
  getModulesByFile(file: string): Iterable<ViteModule> | undefined;
  invalidateModule?(module: ViteModule): void;
}

/** One of the places that code runs in; before Vite 6 the server itself. */
export interface ViteEnvironment {
  /** An environment that runs elsewhere has none. */
  readonly moduleGraph?: ViteModules;
  transformRequest(url: string): Promise<unknown>;
  readonly hot?: ViteSender;
}

export interface ViteDevServer extends ViteEnvironment {
  readonly config: ResolvedViteConfig;
  readonly ws: PageChannel & ViteSender;
  readonly middlewares: { use(middleware: Middleware): void };
  readonly watcher: { on(event: string, listener: (file: string) => void): void };
  readonly environments?: Readonly<Record<string, ViteEnvironment>>;
  printUrls(): void;
}
