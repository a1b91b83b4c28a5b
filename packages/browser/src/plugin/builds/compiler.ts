import type { DevServer } from "../dev-server.js";
import { PAGE_MODULE } from "../page/page-module.js";
import { type CompilerError, compilerError } from "./compiler-error.js";

const NAME = "debug-bridge";

interface Tap<Args extends unknown[]> {
  tap(name: string, run: (...args: Args) => void): void;
}

interface EntryPlugin {
  new (context: string, request: string, options: { name: undefined }): { apply(compiler: Compiler): void };
}

interface Stats {
  readonly hash?: string;
  hasErrors(): boolean;
  toJson(options: object): {
    readonly errors?: readonly CompilerError[];
    readonly warnings?: readonly CompilerError[];
  };
}

/** The part of a compiler of webpack or Rspack that is used here. */
export interface Compiler {
  readonly context: string;
  readonly webpack?: { readonly EntryPlugin: EntryPlugin };
  readonly rspack?: { readonly EntryPlugin: EntryPlugin };
  readonly modifiedFiles?: ReadonlySet<string>;
  readonly removedFiles?: ReadonlySet<string>;
  readonly options: {
    readonly mode?: string;
    readonly devServer?: false | { readonly hot?: unknown; readonly liveReload?: unknown };
    readonly plugins?: readonly unknown[];
  };
  readonly hooks: {
    readonly watchRun: Tap<[Compiler]>;
    readonly done: Tap<[Stats]>;
    readonly infrastructureLog?: {
      tap(name: string, run: (origin: string, type: string, args: unknown[]) => undefined): void;
    };
  };
  getInfrastructureLogger(name: string): { info(line: string): void };
}

/** Whether a compiler works for development. Anything else is left alone. */
export function isDevelopment({ options }: Compiler, wanted: boolean | undefined): boolean {
  return wanted ?? options.mode === "development";
}

/** Puts the module into every page of webpack or Rspack, and reports the effect of edits. */
export function reportCompiler(compiler: Compiler, server: DevServer): void {
  const { EntryPlugin } = (compiler.rspack ?? compiler.webpack) as { EntryPlugin: EntryPlugin };
  // Before the app's own code in every entry.
  new EntryPlugin(compiler.context, PAGE_MODULE, { name: undefined }).apply(compiler);
  server.start(compiler.context);
  let files: string[] = [];
  let hash: string | undefined;
  compiler.hooks.watchRun.tap(NAME, ({ modifiedFiles = new Set(), removedFiles = new Set() }) => {
    files = [...modifiedFiles, ...removedFiles].filter(isFile);
  });
  compiler.hooks.done.tap(NAME, (stats) => {
    const { errors = [], warnings = [] } = stats.toJson({ all: false, errors: true, warnings: true });
    for (const { message = "" } of warnings) server.log("warn", message);
    const [first] = errors;
    const error = first && compilerError(first);
    const isSame = stats.hash === hash;
    const isFirst = hash === undefined;
    hash = stats.hash;
    if (isFirst && error) server.brokenAtStart(error);
    if (isFirst)
      void server.banner().then((line) => compiler.getInfrastructureLogger("Debug Bridge").info(line));
    if (files.length === 0) return;
    const id = stats.hash ? { id: stats.hash } : {};
    if (error) server.saved({ ...id, files, outcome: "build_error", error });
    else server.saved({ ...id, files, outcome: isSame ? "no_update" : outcomeOf(compiler), isWhole: true });
    files = [];
  });
  compiler.hooks.infrastructureLog?.tap(NAME, (origin, type, args) => {
    const level = type === "error" || type === "warn" ? type : type === "info" ? "info" : undefined;
    if (level && origin !== "Debug Bridge") server.log(level, args.map(String).join(" "));
    return undefined;
  });
}

/** What pages do with new code. Those that cannot apply it are loaded again, and say so. */
function outcomeOf({
  options: { devServer, plugins = [] },
}: Compiler): "hot_update" | "full_reload" | "rebuilt" {
  const isHot = plugins.some((plugin) => plugin?.constructor?.name === "HotModuleReplacementPlugin");
  // A server without its own settings shows only in the environment.
  const server = devServer || (isServing() ? {} : undefined);
  if (isHot || (server && server.hot !== false)) return "hot_update";
  return server && server.liveReload !== false ? "full_reload" : "rebuilt";
}

/** Whether the command line of webpack or Rspack was started as a server. */
function isServing(): boolean {
  const { env = {} } = (globalThis as { process?: { env?: Record<string, string> } }).process ?? {};
  return env.WEBPACK_SERVE === "true" || env.RSPACK_SERVE === "true";
}

/** Folders are watched too, for files that come and go. */
const isFile = (path: string): boolean => /\.[^./\\]+$/.test(path) && !/[\\/]node_modules[\\/]/.test(path);
