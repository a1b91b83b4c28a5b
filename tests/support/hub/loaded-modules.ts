import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, start, temporaryFolder } from "../../fixtures.js";

/** The command as modules: in the bundle, one cannot see where a part came from. */
export const CLI_MODULES = join(ROOT, "packages/cli/dist/main.js");

/** The files that a Node process loaded until its end, as the engine's coverage lists them. */
export async function loadedModules(args: string[], env: Record<string, string> = {}): Promise<string[]> {
  const folder = temporaryFolder();
  const { code, stderr } = await start(process.execPath, args, { ...env, NODE_V8_COVERAGE: folder }).finished;
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with ${code}: ${stderr}`);
  return readdirSync(folder).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { result: { url: string }[] };
    return result.map(({ url }) => url).filter((url) => url.startsWith("file:"));
  });
}

/** Whether one of them belongs to a package of the registry. */
export const isLoaded = (modules: readonly string[], name: string): boolean =>
  modules.some((url) => url.includes(`/node_modules/${name}/`));
