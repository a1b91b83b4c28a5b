/** Plugins of frameworks whose JSX is not Solid's. */
const OTHER_JSX = /^vite:(?:react|preact|vue-jsx)|^prefresh|^qwik/;

/** Puts a mark at each element of a file; `undefined` when it stays as it is. */
type WithLines = (code: string, path: string, root: string) => Promise<string | undefined>;

/** How the lines of a file are kept, if its framework does not keep them; what does it is loaded when there is such a file. */
export function marksLines(file: string, plugins: readonly string[]): WithLines | undefined {
  if (file.includes("/node_modules/")) return undefined;
  if (file.endsWith(".vue")) return async (...args) => (await import("./vue-lines.js")).withVueLines(...args);
  const isSolid = plugins.includes("solid") && !plugins.some((name) => OTHER_JSX.test(name));
  return isSolid && /\.[jt]sx$/.test(file)
    ? async (...args) => (await import("./solid-lines.js")).withSolidLines(...args)
    : undefined;
}
