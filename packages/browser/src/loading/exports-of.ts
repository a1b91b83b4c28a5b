/** Where another script of ours leaves its exports. */
export const exportsOf = (file: string): symbol => Symbol.for(`debug-bridge.${file}`);
