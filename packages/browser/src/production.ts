interface Surroundings {
  readonly hostname: string;
  /** The value that bundlers substitute for `process.env.NODE_ENV`. */
  readonly nodeEnv: string | undefined;
  /** `import.meta.env.PROD` */
  readonly viteProd: boolean | undefined;
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1|0\.0\.0\.0|)$/i;

/**
 * Why this page counts as production, or `undefined` in development. A page that other machines can reach counts,
 * whatever its build mode.
 */
export function productionReason({ hostname, nodeEnv, viteProd }: Surroundings): string | undefined {
  if (nodeEnv === "production") return 'process.env.NODE_ENV is "production"';
  if (viteProd === true) return "import.meta.env.PROD is true";
  if (!LOOPBACK.test(hostname)) return `the page is from ${hostname}, not this machine`;
  return undefined;
}

declare const process: { env: { NODE_ENV?: string } };

/** Written so that bundlers find and replace exactly these two expressions. */
export function surroundings(): Surroundings {
  let nodeEnv: string | undefined;
  try {
    nodeEnv = process.env.NODE_ENV;
  } catch {
    // There is no `process` in a page whose bundler did not replace it.
  }
  const viteProd = (import.meta as ImportMeta & { env?: { PROD?: boolean } }).env?.PROD;
  return { hostname: globalThis.location?.hostname ?? "", nodeEnv, viteProd };
}
