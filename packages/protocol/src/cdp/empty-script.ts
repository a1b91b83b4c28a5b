type CdpParams = Readonly<Record<string, unknown>>;

/** A script that is one comment. JavaScript ends a comment at any of these four characters. */
const COMMENT = /^\s*(\/\/[^\n\r\u2028\u2029]*)?$/;

/** The form of a script for new documents that does nothing but create its world; nothing for one that does more. */
export function emptyScript(params: CdpParams): CdpParams | undefined {
  if (typeof params.source !== "string" || !COMMENT.test(params.source)) return undefined;
  const { runImmediately: _dropped, includeCommandLineAPI: _unused, ...rest } = params;
  return { ...rest, source: "" };
}
