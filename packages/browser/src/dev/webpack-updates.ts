import { codeUpdates } from "./code-updates.js";

/** The part of `import.meta.webpackHot` that is used here. */
export interface WebpackHot {
  addStatusHandler(listener: (status: string) => void): void;
}

/** The hash of the code that runs, by the name under which bundles find it. */
declare const __webpack_hash__: string;

/**
 * Reports the hot updates of webpack and Rspack. The id of an edit is the hash of the compilation that it led to, which the page knows
 * once the update is applied.
 */
export function followWebpack(hot: WebpackHot): void {
  const updates = codeUpdates();
  let isApplied = false;
  hot.addStatusHandler((status) => {
    if (status === "prepare" || status === "check") updates.before();
    else if (status === "apply") isApplied = true;
    else if (status === "idle" || status === "abort" || status === "fail") {
      updates.after(isApplied ? [hashOf()] : []);
      isApplied = false;
    }
  });
}

const hashOf = (): string => (typeof __webpack_hash__ === "string" ? __webpack_hash__ : "");
