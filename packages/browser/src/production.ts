interface Surroundings {
  readonly hostname: string;
  readonly protocol: string;
  /** What bundlers put in place of `process.env.NODE_ENV`. */
  readonly nodeEnv: string | undefined;
  /** `import.meta.env.PROD` */
  readonly viteProd: boolean | undefined;
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1|0\.0\.0\.0|)$/i;

/**
 * Why this page counts as production, or `undefined` in development. A page that people reach from elsewhere counts,
 * whatever its build says.
 */
export function productionReason({ hostname, nodeEnv, viteProd }: Surroundings): string | undefined {
  if (nodeEnv === "production") return 'process.env.NODE_ENV is "production"';
  if (viteProd === true) return "import.meta.env.PROD is true";
  if (!LOOPBACK.test(hostname)) return `the page is served from ${hostname}, not from this machine`;
  return undefined;
}

declare const process: { env?: { NODE_ENV?: string } } | undefined;

export function surroundings(): Surroundings {
  const { hostname = "", protocol = "" } = globalThis.location ?? {};
  let nodeEnv: string | undefined;
  try {
    nodeEnv = typeof process === "undefined" ? undefined : process?.env?.NODE_ENV;
  } catch {
    // A page's own `process` may be anything.
  }
  const { env } = import.meta as ImportMeta & { env?: { PROD?: boolean } };
  return { hostname, protocol, nodeEnv, viteProd: env?.PROD };
}
