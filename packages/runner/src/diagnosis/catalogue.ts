import type { ErrorCode } from "@debug-bridge/protocol";
import { isLocalUrl } from "../report/local-url.js";

export type ErrorCategory = "javascript" | "network" | "resource" | "automation";

/** What the catalogue says about an error. */
export interface Explanation {
  readonly id: string;
  readonly code: ErrorCode;
  readonly category: ErrorCategory;
  /** What to do about it. */
  readonly hint: string;
}

interface Entry extends Omit<Explanation, "hint"> {
  readonly pattern: RegExp;
  readonly hint: (found: readonly string[], context: ErrorContext) => string;
}

export interface ErrorContext {
  /** The page or resource that it is about. */
  readonly url?: string | undefined;
  /** How this project's development server is started, where that is known: `npm run dev`. */
  readonly devCommand?: string | undefined;
}

const place = ({ url }: ErrorContext): string => (url ? ` (${hostOf(url)})` : "");

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || url.slice(0, 100) : url.slice(0, 100);
}

/** The server is never started for the person: it is theirs, with their settings and their terminal. */
function startServer(context: ErrorContext): string {
  const command = context.devCommand
    ? `\`${context.devCommand}\``
    : "its start command, such as `npm run dev`,";
  return `Nothing listens at ${hostOf(context.url ?? "that address")}: the development server does not seem to run. Ask the person to open a new terminal tab in the project and run ${command} and to say when it is up; do not start it for them. Then send the instruction again. If it runs, compare the port`;
}

const entry = (
  id: string,
  code: ErrorCode,
  category: ErrorCategory,
  pattern: RegExp,
  hint: string | Entry["hint"],
): Entry => ({ id, code, category, pattern, hint: typeof hint === "string" ? () => hint : hint });

/** From the particular to the general: the first that fits is taken. */
const CATALOGUE: readonly Entry[] = [
  entry(
    "launch-failed",
    "not_supported",
    "automation",
    /Failed to launch the browser process/,
    "Chrome is there but does not come up, and the message has its own words. Without a display it needs headless; a library that is missing is installed with the system's packages; with CHROME_PATH another Chrome can be tried",
  ),
  entry(
    "missing-dependency",
    "evaluation_failed",
    "javascript",
    /Cannot find module ['"]?([^'"\s]+)|Failed to resolve (?:module specifier|import) ["']([^"']+)|does not provide an export named ['"]([^'"]+)|Failed to fetch dynamically imported module: (\S+)/i,
    (found) =>
      `"${found.find((part) => part !== undefined) ?? "a module"}" cannot be loaded: see that it is installed (npm install), that its path and export are spelt right, and that the bundler serves it`,
  ),
  entry(
    "html-for-script",
    "evaluation_failed",
    "javascript",
    /Unexpected token '<'|Expected a JavaScript(?:-or-Wasm)? module script/i,
    "The server answered a script's URL with an HTML page, which often means 404 or a fallback route: see the request in networkEvents and correct the script's path",
  ),
  entry(
    "undefined-variable",
    "evaluation_failed",
    "javascript",
    /(?:ReferenceError: )?\b([\w$]+) is not defined/i,
    (found) =>
      `"${found[0]}" is used before it exists: import or declare it, or see that the script that defines it is loaded first`,
  ),
  entry(
    "undefined-property",
    "evaluation_failed",
    "javascript",
    /Cannot (?:read|set) propert(?:y|ies) of (undefined|null)(?: \((?:reading|setting) '([^']+)'\))?/i,
    (found) =>
      `Something is ${found[0]} where ${found[1] ? `"${found[1]}"` : "a property"} is used: follow the stack to it, and see whether its data had arrived by then`,
  ),
  entry(
    "not-a-function",
    "evaluation_failed",
    "javascript",
    /([\w$.]+) is not a function/i,
    (found) => `"${found[0]}" is no function: see its spelling, its import, and what was assigned to it`,
  ),
  entry(
    "server-not-running",
    "navigation_failed",
    "network",
    /ERR_CONNECTION_REFUSED|ECONNREFUSED/i,
    (_found, context) =>
      !context.url || isLocalUrl(context.url)
        ? startServer(context)
        : `${hostOf(context.url)} refuses connections: see that the host and port are right and that the server is up`,
  ),
  entry(
    "dns",
    "navigation_failed",
    "network",
    /ERR_NAME_NOT_RESOLVED|ERR_NAME_RESOLUTION_FAILED|ENOTFOUND|ERR_DNS_/i,
    (_found, context) =>
      `The name${place(context)} is not known to DNS: see its spelling, and that there is a network (VPN, proxy)`,
  ),
  entry(
    "certificate",
    "navigation_failed",
    "network",
    /ERR_CERT_\w+|ERR_SSL_\w+|ERR_BAD_SSL\w+|ERR_TLS\w+|SEC_ERROR|certificate (?:is |has |was )?(?:invalid|expired|not trusted)/i,
    (_found, context) =>
      `The SSL/TLS certificate${place(context)} is not trusted: for a server on this machine use http:// or install its certificate authority (for example with mkcert); for another, see its date, its name and its issuer. It is not bypassed`,
  ),
  entry(
    "redirect-loop",
    "navigation_failed",
    "network",
    /ERR_TOO_MANY_REDIRECTS/i,
    "The server redirects in a circle: the redirects are in networkEvents. Common causes are a login that does not keep its cookie, and http and https that send to each other",
  ),
  entry(
    "offline",
    "navigation_failed",
    "network",
    /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_ADDRESS_UNREACHABLE|ERR_NETWORK_ACCESS_DENIED|ERR_PROXY_\w+|ERR_TUNNEL_\w+/i,
    "There is no way to that host from here: see the network connection, VPN and proxy",
  ),
  entry(
    "connection-lost",
    "navigation_failed",
    "network",
    /ERR_CONNECTION_(?:RESET|CLOSED|ABORTED|FAILED)|ERR_EMPTY_RESPONSE|ERR_INVALID_HTTP_RESPONSE|ERR_HTTP2_\w+|ECONNRESET|socket hang up/i,
    (_found, context) =>
      `The server${place(context)} broke the connection off: its own log says why. A wrong protocol (http for https) looks like this, too`,
  ),
  entry(
    "navigation-timeout",
    "timeout",
    "network",
    /could not be loaded: .*within \d+ ms|did not reach "\w+" within \d+ ms|Navigation timeout of (\d+) ?ms|ERR_(?:CONNECTION_)?TIMED_OUT|ETIMEDOUT/i,
    "The page did not finish in time. See in networkEvents which request has no status; raise timeoutMs, or use waitUntil domcontentloaded where something streams for ever",
  ),
  entry(
    "blocked-resource",
    "navigation_failed",
    "resource",
    /ERR_BLOCKED_BY_\w+|blocked by CORS policy|Mixed Content|violates the following Content Security Policy|Refused to (?:load|execute|apply)/i,
    "The browser blocked a resource by a rule of the page or its server: see CORS headers, Content-Security-Policy, MIME type, and http inside https",
  ),
  entry(
    "missing-file",
    "navigation_failed",
    "resource",
    /ERR_FILE_NOT_FOUND|ERR_ACCESS_DENIED|ERR_FAILED|ERR_INVALID_URL|ERR_UNKNOWN_URL_SCHEME/i,
    "What was asked for is not there or may not be read: see the path and its spelling",
  ),
  entry(
    "resource",
    "navigation_failed",
    "resource",
    /Failed to load resource|net::ERR_CACHE|ERR_CONTENT_\w+|ERR_HTTP_RESPONSE_CODE_FAILURE|\bfailed to load\b|answered (?:4|5)\d\d/i,
    "A resource of the page was not loaded: find it in networkEvents by its status or errorText, and see its path, its permissions and the server's log",
  ),
  entry(
    "unsafe-port",
    "navigation_failed",
    "network",
    /ERR_UNSAFE_PORT/i,
    "Chrome opens no page on that port, since it belongs to another protocol: use another port, such as 3000 or 8080",
  ),
  entry(
    "aborted",
    "navigation_failed",
    "network",
    /ERR_ABORTED|\baborted\b/i,
    "The request was broken off: another navigation or redirect replaced it, the answer was a download, or the page called it off. See the last requests in networkEvents",
  ),
  entry(
    "hanging",
    "timeout",
    "automation",
    /took longer than \d+ ms/i,
    "The page did not answer in time: a script may run without end, or a dialog or debugger may hold it. Take a screenshot, raise timeoutMs at start, or navigate away",
  ),
  entry(
    "renderer-crash",
    "outcome_unknown",
    "automation",
    /Page crashed|Target crashed|crashed/i,
    "The page's process crashed, so that nobody knows how far the action came. Look with a screenshot before repeating it; memory and endless loops are the usual causes",
  ),
  entry(
    "detached",
    "outcome_unknown",
    "automation",
    /detached [Ff]rame|[Ff]rame (?:was|got) detached|[Nn]ode is (?:either not|detached)|not attached to the (?:DOM|page)|Execution context was destroyed|Cannot find context/,
    "The page changed while the action ran: wait shortly after a navigation (a wait action of 100 to 500 ms, or for a text) and send it again",
  ),
  entry(
    "browser-gone",
    "outcome_unknown",
    "automation",
    /TargetCloseError|TargetClosedError|ConnectionClosedError|Session closed|Target closed|Connection closed|Protocol error|browser (?:was|is) closed|Browser closed|did not answer/i,
    "The browser or its page was closed. The next action starts it again at the last URL",
  ),
  entry(
    "network-other",
    "navigation_failed",
    "network",
    /net::(ERR_\w+)/,
    (found) =>
      `Chrome gave up with ${found[0]}: see the request in networkEvents, and what the server logged`,
  ),
];

/**
 * What an error means and what to do about it. An unknown one is still explained: as what it is, with how to go on.
 *
 * @example explain("net::ERR_CONNECTION_REFUSED at http://localhost:3000/", { url: "http://localhost:3000/" }).id
 * // "server-not-running"
 */
export function explain(message: string, context: ErrorContext = {}): Explanation {
  for (const { pattern, hint, ...rest } of CATALOGUE) {
    const found = pattern.exec(message);
    if (found)
      return {
        ...rest,
        hint: hint(
          found.slice(1).filter((part) => part !== undefined),
          context,
        ),
      };
  }
  return {
    id: "unknown",
    code: "internal",
    category: "automation",
    hint: "This error is not in the catalogue: read logs and networkEvents, and send diagnose for a fuller report",
  };
}

/** The same for what went wrong inside the page: its own errors are the page's, whatever their text. */
export function explainPageError(message: string, context: ErrorContext = {}): Explanation {
  const explanation = explain(message, context);
  if (explanation.id !== "unknown") return explanation;
  return {
    id: "script-error",
    code: "evaluation_failed",
    category: "javascript",
    hint: "The page's own code threw: follow the stack to the line, and evaluate the values there",
  };
}
