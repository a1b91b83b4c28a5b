declare const process: { env: { NODE_ENV?: string } };

interface BuildMode {
  /** The value that bundlers substitute for `process.env.NODE_ENV`. */
  readonly nodeEnv?: string | undefined;
  /** `import.meta.env.PROD` */
  readonly viteProd?: boolean | undefined;
}

/** Why this is a build for production, or `undefined`. A script that no bundler of the app has seen does not ask. */
export function buildReason({ nodeEnv, viteProd }: BuildMode = buildMode()): string | undefined {
  if (nodeEnv === "production") return 'process.env.NODE_ENV is "production"';
  return viteProd === true ? "import.meta.env.PROD is true" : undefined;
}

/** Written so that bundlers find and replace exactly these two expressions. */
function buildMode(): BuildMode {
  let nodeEnv: string | undefined;
  try {
    nodeEnv = process.env.NODE_ENV;
  } catch {
    // There is no `process` in a page whose bundler did not replace it.
  }
  const viteProd = (import.meta as ImportMeta & { env?: { PROD?: boolean } }).env?.PROD;
  return { nodeEnv, viteProd };
}
