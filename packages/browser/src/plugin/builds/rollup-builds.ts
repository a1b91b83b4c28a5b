import type { DevServer } from "../dev-server.js";
import { PAGE_MODULE } from "../page/page-module.js";

interface RollupContext {
  readonly meta: { readonly watchMode: boolean };
  getModuleInfo(id: string): { readonly isEntry: boolean } | null;
}

interface RollupError {
  readonly message: string;
  readonly id?: string;
  readonly frame?: string;
  readonly loc?: { readonly file?: string; readonly line: number; readonly column: number };
}

type Hooks = ThisType<RollupContext> & {
  buildStart(): void;
  transform(code: string, id: string): { code: string; map: null } | undefined;
  watchChange(id: string): void;
  buildEnd(error?: RollupError): void;
  writeBundle(): void;
};

const isProduction = (): boolean =>
  (globalThis as { process?: { env?: Record<string, string> } }).process?.env?.NODE_ENV === "production";

/** What the plugin does in Rollup: only where it watches, which is how it is used in development. */
export function rollupHooks(server: DevServer): Hooks {
  const isOn = ({ meta }: RollupContext): boolean =>
    server.options.development ?? (meta.watchMode && !isProduction());
  let files: string[] = [];
  return {
    buildStart() {
      if (server.root === "" && isOn(this)) server.start(workingFolder());
    },
    transform(code, id) {
      if (!isOn(this) || !this.getModuleInfo(id)?.isEntry) return undefined;
      // On the first line, so that all others stay where they are.
      return { code: `import ${JSON.stringify(PAGE_MODULE)};${code}`, map: null };
    },
    watchChange(id) {
      files.push(id);
    },
    buildEnd(error) {
      if (!error || !isOn(this)) return;
      const { message, id, frame, loc } = error;
      const file = loc?.file ?? id;
      const place = loc ? { line: loc.line, column: loc.column } : {};
      const failed = { message, ...place, ...(file ? { file } : {}), ...(frame ? { frame } : {}) };
      if (files.length > 0) server.saved({ files, outcome: "build_error", error: failed });
      else server.brokenAtStart(failed);
      files = [];
    },
    writeBundle() {
      if (files.length > 0) server.saved({ files, outcome: "rebuilt", isWhole: true });
      files = [];
    },
  };
}

/** The folder that the bundler was started in. */
export const workingFolder = (): string =>
  (globalThis as { process?: { cwd(): string } }).process?.cwd() ?? "";
