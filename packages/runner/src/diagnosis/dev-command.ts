import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LOCK_FILES = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lockb", "bun run"],
  ["bun.lock", "bun run"],
] as const;
const SCRIPTS = ["dev", "start", "serve", "develop"];

/**
 * How the development server of a project is started, for the person to do it: read from its `package.json`.
 *
 * @example devCommand("/home/ada/shop") // "npm run dev"
 */
export function devCommand(project: string): string | undefined {
  try {
    const { scripts } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
      scripts?: Record<string, unknown>;
    };
    const script = SCRIPTS.find((name) => typeof scripts?.[name] === "string");
    if (!script) return undefined;
    const tool = LOCK_FILES.find(([file]) => existsSync(join(project, file)))?.[1] ?? "npm run";
    return `${tool} ${script}`;
  } catch {
    return undefined;
  }
}
