import type { SourceLocation } from "@debug-bridge/protocol";
import type { SourceMaps } from "@debug-bridge/runner/source-maps";

/** Scripts change while an app is developed, so their maps are read again for each answer. */
const MAX_AGE_MS = 1_000;

type Locate = (location: SourceLocation, page: string, stack?: string) => Promise<SourceLocation>;

/** Finds where the code of a page was written. What that needs is loaded at the first call. */
export function sourceLocator(): Locate {
  let maps: Promise<SourceMaps> | undefined;
  let readAt = 0;
  return async (location, page, stack) => {
    if (!maps || Date.now() - readAt > MAX_AGE_MS) {
      readAt = Date.now();
      maps = import("@debug-bridge/runner/source-maps").then(({ SourceMaps }) => new SourceMaps());
    }
    const sources = await maps;
    const own = stack === undefined ? undefined : firstOfApp(await sources.mapStack(stack, page));
    return { ...location, ...(own ?? (await sources.locate(location, page))) };
  };
}

/** The first frame of a stack that is not in a package. */
export function firstOfApp(stack: string): SourceLocation | undefined {
  for (const line of stack.split("\n")) {
    const [, url = "", at, column] =
      /((?:https?|file|webpack|webpack-internal):\/\/\S+?):(\d+):(\d+)\)?$/.exec(line) ?? [];
    if (url !== "" && !/\/node_modules\/|\/@vite\/|\/\.vite\//.test(url))
      return { url, line: Number(at), column: Number(column) };
  }
  return undefined;
}
