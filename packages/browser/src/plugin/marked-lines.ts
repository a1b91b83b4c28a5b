import { withSolidLines } from "./solid-lines.js";
import { withVueLines } from "./vue-lines.js";

/** Plugins of frameworks whose JSX is not Solid's. */
const OTHER_JSX = /^vite:(?:react|preact|vue-jsx)|^prefresh|^qwik/;

/** A file of a framework that does not keep lines, with a mark at each of its elements; `undefined` when it stays as it is. */
export async function withLines(
  code: string,
  file: string,
  {
    path,
    root,
    plugins,
  }: { readonly path: string; readonly root: string; readonly plugins: readonly string[] },
): Promise<string | undefined> {
  if (file.includes("/node_modules/")) return undefined;
  if (file.endsWith(".vue")) return withVueLines(code, path, root);
  const isSolid = plugins.includes("solid") && !plugins.some((name) => OTHER_JSX.test(name));
  return isSolid && /\.[jt]sx$/.test(file) ? withSolidLines(code, path, root) : undefined;
}
