import type { BuildError } from "@debug-bridge/protocol";
import type { DevServer } from "../dev-server.js";
import { PAGE_MODULE } from "../page/page-module.js";
import { workingFolder } from "./rollup-builds.js";

/** An error of esbuild. */
export interface EsbuildMessage {
  readonly text: string;
  readonly location: { file: string; line: number; column: number; lineText: string } | null;
}

/** The part of a build of esbuild that is used here. */
export interface EsbuildBuild {
  readonly initialOptions: {
    readonly absWorkingDir?: string;
    readonly define?: Readonly<Record<string, string>>;
    inject?: string[];
  };
  onLoad(filter: { filter: RegExp; namespace: string }, run: (args: { path: string }) => undefined): void;
  onEnd(run: (result: { errors: EsbuildMessage[] }) => Promise<void>): void;
}

const NODE_ENV = "process.env.NODE_ENV";

/**
 * Whether a build is for development. esbuild does not know, and code for production must not get the bridge by mistake: `NODE_ENV`
 * has to say it, in `define` or in the environment.
 */
export function isDevelopmentBuild(
  { initialOptions: { define = {} } }: Pick<EsbuildBuild, "initialOptions">,
  wanted: boolean | undefined,
): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string> } };
  const named = define[NODE_ENV] ?? JSON.stringify(process?.env?.NODE_ENV ?? "");
  return wanted ?? named === '"development"';
}

/** Has every entry run the module first. */
export function injectModule(options: { inject?: string[] }): void {
  options.inject = [PAGE_MODULE, ...(options.inject ?? [])];
}

/** Reports the effect of edits. esbuild does not say which files changed: their times do. */
export function esbuildSetup(build: EsbuildBuild, server: DevServer): void {
  server.start(build.initialOptions.absWorkingDir ?? workingFolder());
  const loaded = new Set<string>();
  let times = new Map<string, number>();
  build.onLoad({ filter: /./, namespace: "file" }, ({ path }) => {
    if (/[\\/]node_modules[\\/]/.test(path)) return undefined;
    loaded.add(path);
    return undefined;
  });
  build.onEnd(async ({ errors: [first] }) => {
    const before = times;
    times = await timesOf([...loaded, ...before.keys()]);
    const files = [...times].filter(([path, time]) => before.size > 0 && before.get(path) !== time);
    const error = first && esbuildError(first);
    if (files.length > 0)
      server.saved({
        files: files.map(([path]) => path),
        ...(error ? { outcome: "build_error", error } : { outcome: "rebuilt", isWhole: true }),
      });
    else if (error) server.brokenAtStart(error);
    loaded.clear();
  });
}

async function timesOf(paths: readonly string[]): Promise<Map<string, number>> {
  const { stat } = (await import("node:fs/promises" as string)) as {
    stat(path: string): Promise<{ mtimeMs: number }>;
  };
  const entries = await Promise.all(
    [...new Set(paths)].map(
      async (path) => [path, (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs] as const,
    ),
  );
  return new Map(entries);
}

/** An error of esbuild as the hub takes it. */
export function esbuildError({ text, location }: EsbuildMessage): BuildError {
  if (!location) return { message: text };
  const { file, line, column, lineText } = location;
  return {
    message: text,
    file,
    line,
    column,
    frame: `${line} | ${lineText}\n${" ".repeat(`${line} | `.length + column)}^`,
  };
}
