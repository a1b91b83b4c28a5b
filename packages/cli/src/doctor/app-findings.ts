import { isLoopbackName } from "@debug-bridge/protocol";
import { allows, policiesOf } from "./content-policy.js";
import type { Finding } from "./finding.js";

const PAGE_TIMEOUT_MS = 5_000;
const MAX_PAGE_CHARACTERS = 1_000_000;

/** Why the app at this address may not reach the hub: the app itself, its host, its Content-Security-Policy. */
export async function appFindings(app: string, hub: string): Promise<Finding[]> {
  const what = "app";
  let response: Response;
  let html: string;
  try {
    response = await fetch(app, {
      signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
      headers: { accept: "text/html" },
    });
    html = (await response.text()).slice(0, MAX_PAGE_CHARACTERS);
  } catch (thrown) {
    const { message, cause } = thrown as Error & { cause?: { code?: string } };
    const detail = `${app} does not answer (${cause?.code ?? message})`;
    return [{ state: "wrong", what, detail, fix: "start its development server, and check the address" }];
  }
  const page = new URL(response.url || app);
  return [
    { state: "ok", what, detail: `${page.href} answers with ${response.status}` },
    hostFinding(page),
    sdkFinding(html),
    policyFinding(policiesOf(response.headers.get("content-security-policy"), html), page, hub),
  ];
}

function hostFinding({ hostname, origin }: URL): Finding {
  const what = "app's host";
  if (isLoopbackName(hostname)) return { state: "ok", what, detail: `${hostname} is this machine` };
  const fix = `debug-bridge up --allow-origin ${origin}, and allowProduction: true in the SDK's options`;
  return { state: "wrong", what, detail: `${hostname} is not this machine, so the SDK stays off there`, fix };
}

function sdkFinding(html: string): Finding {
  const what = "app's SDK";
  if (/\/sdk\.js\b|debug-bridge/.test(html)) return { state: "ok", what, detail: "is in the page" };
  if (html.includes("/@vite/client"))
    return { state: "note", what, detail: "not in the HTML; the Vite plugin adds it through /@vite/client" };
  return {
    state: "note",
    what,
    detail: "not in the HTML; fine if a script of the app creates it, else run: debug-bridge init",
  };
}

function policyFinding(policies: readonly string[], page: URL, hub: string): Finding {
  const what = "app's CSP";
  if (policies.length === 0) return { state: "ok", what, detail: "has no Content-Security-Policy" };
  const socket = hub.replace(/^http/, "ws");
  const missing = [
    ...(allows(policies, "connect-src", socket, page) ? [] : [`${socket} in connect-src`]),
    ...(allows(policies, "script-src", hub, page) ? [] : [`${hub} in script-src (for the script tag)`]),
  ];
  if (missing.length === 0) return { state: "ok", what, detail: "allows the hub" };
  const fix = `allow ${missing.join(" and ")} during development`;
  return { state: "wrong", what, detail: "the Content-Security-Policy forbids what the SDK needs", fix };
}
