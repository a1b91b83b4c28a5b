import type { ErrorCode } from "@debug-bridge/protocol";
import { isLocalUrl } from "../report/local-url.js";

export type ErrorCategory = "javascript" | "network" | "resource" | "automation";

/** The catalogue's explanation of an error. */
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
  /** The command that starts this project's development server, if known: `npm run dev`. */
  readonly devCommand?: string | undefined;
}

const place = ({ url }: ErrorContext): string => (url ? ` (${hostOf(url)})` : "");

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || url.slice(0, 100) : url.slice(0, 100);
}

/** The server is never started for the user: it needs their settings and belongs in their terminal. */
function startServer(context: ErrorContext): string {
  const command = context.devCommand
    ? `\`${context.devCommand}\``
    : "its start command, such as `npm run dev`,";
  return `Nothing listens at ${hostOf(context.url ?? "that address")}: the development server does not seem to be running. Ask the user to open a new terminal tab in the project, run ${command} and confirm when it is up; do not start it for them. Then send the instruction again. If the server is running, check the port`;
}

const entry = (
  id: string,
  code: ErrorCode,
  category: ErrorCategory,
  pattern: RegExp,
  hint: string | Entry["hint"],
): Entry => ({ id, code, category, pattern, hint: typeof hint === "string" ? () => hint : hint });

const LAUNCH_FAILED = entry(
  "launch-failed",
  "not_supported",
  "automation",
  /Failed to launch the browser process|Browser was not found/,
  "Chrome is installed but does not start; error.message has Chrome's own output. Without a display, use headless; install missing libraries with the system's package manager; or set CHROME_PATH to use another Chrome",
);

/** Errors of this machine's files. A page may print the same words about its own. */
const OWN_ERRORS: readonly Entry[] = [
  entry(
    "disk-full",
    "internal",
    "automation",
    /ENOSPC|no space left on device|EDQUOT/i,
    "The disk is full: ask the person to free space, or set DEBUG_BRIDGE_HOME to a folder on another disk",
  ),
  entry(
    "no-permission",
    "internal",
    "automation",
    /\b(?:EACCES|EPERM|EROFS)\b/,
    "A file or folder of Debug Bridge cannot be written: correct its owner and permissions, or set DEBUG_BRIDGE_HOME to a folder that you own",
  ),
  entry(
    "no-home",
    "internal",
    "automation",
    /\b(?:ENOENT|ENOTDIR|EISDIR|EEXIST)\b/,
    "A file or folder of Debug Bridge is missing, or something else is in its place: error.message names it. Remove what is there, or set DEBUG_BRIDGE_HOME to another folder",
  ),
];

/** From specific to general: the first match wins. */
const CATALOGUE: readonly Entry[] = [
  LAUNCH_FAILED,
  entry(
    "missing-dependency",
    "evaluation_failed",
    "javascript",
    /Cannot find module ['"]?([^'"\s]+)|Failed to resolve (?:module specifier|import) ["']([^"']+)|does not provide an export named ['"]([^'"]+)|Failed to fetch dynamically imported module: (\S+)/i,
    (found) =>
      `"${found.find((part) => part !== undefined) ?? "a module"}" cannot be loaded: check that it is installed (npm install), that its path and export are spelled correctly, and that the bundler serves it`,
  ),
  entry(
    "html-for-script",
    "evaluation_failed",
    "javascript",
    /Unexpected token '<'|Expected a JavaScript(?:-or-Wasm)? module script/i,
    "The server answered a script's URL with an HTML page, which often means a 404 or a fallback route: find the request in networkEvents and correct the script's path",
  ),
  entry(
    "undefined-variable",
    "evaluation_failed",
    "javascript",
    /(?:ReferenceError: )?\b([\w$]+) is not defined/i,
    (found) =>
      `"${found[0]}" is used before it exists: import or declare it, or make sure that the script that defines it loads first`,
  ),
  entry(
    "undefined-property",
    "evaluation_failed",
    "javascript",
    /Cannot (?:read|set) propert(?:y|ies) of (undefined|null)(?: \((?:reading|setting) '([^']+)'\))?/i,
    (found) =>
      `A value is ${found[0]} where ${found[1] ? `"${found[1]}"` : "a property"} is used: follow the stack to that line, and check whether its data had been loaded`,
  ),
  entry(
    "not-a-function",
    "evaluation_failed",
    "javascript",
    /([\w$.]{1,200}) is not a function/i,
    (found) => `"${found[0]}" is not a function: check its spelling, its import and the value assigned to it`,
  ),
  entry(
    "server-not-running",
    "navigation_failed",
    "network",
    /ERR_CONNECTION_REFUSED|ECONNREFUSED/i,
    (_found, context) =>
      !context.url || isLocalUrl(context.url)
        ? startServer(context)
        : `${hostOf(context.url)} refuses connections: check the host and port, and that the server is running`,
  ),
  entry(
    "dns",
    "navigation_failed",
    "network",
    /ERR_NAME_NOT_RESOLVED|ERR_NAME_RESOLUTION_FAILED|ENOTFOUND|ERR_DNS_/i,
    (_found, context) =>
      `DNS cannot resolve the host name${place(context)}: check its spelling and the network (VPN, proxy)`,
  ),
  entry(
    "certificate",
    "navigation_failed",
    "network",
    /ERR_CERT_\w+|ERR_SSL_\w+|ERR_BAD_SSL\w+|ERR_TLS\w+|SEC_ERROR|certificate (?:is |has |was )?(?:invalid|expired|not trusted)/i,
    (_found, context) =>
      `The SSL/TLS certificate${place(context)} is not trusted: for a server on this machine, send start with <acceptInsecureCerts>true</acceptInsecureCerts>, use http://, or install its certificate authority (for example with mkcert); for any other server, check the certificate's expiry date, name and issuer. For those the check cannot be bypassed`,
  ),
  entry(
    "redirect-loop",
    "navigation_failed",
    "network",
    /ERR_TOO_MANY_REDIRECTS/i,
    "The server redirects in a loop: networkEvents lists the redirects. Common causes are a login whose cookie is not stored, and http and https redirecting to each other",
  ),
  entry(
    "offline",
    "navigation_failed",
    "network",
    /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|ERR_ADDRESS_UNREACHABLE|ERR_NETWORK_ACCESS_DENIED|ERR_PROXY_\w+|ERR_TUNNEL_\w+/i,
    "That host cannot be reached from here: check the network connection, VPN and proxy",
  ),
  entry(
    "connection-lost",
    "navigation_failed",
    "network",
    /ERR_CONNECTION_(?:RESET|CLOSED|ABORTED|FAILED)|ERR_EMPTY_RESPONSE|ERR_INVALID_HTTP_RESPONSE|ERR_HTTP2_\w+|ECONNRESET|socket hang up/i,
    (_found, context) =>
      `The server${place(context)} closed the connection: check the server's own log. Using the wrong protocol (http instead of https) also causes this`,
  ),
  entry(
    "navigation-timeout",
    "timeout",
    "network",
    /could not be loaded: .*within \d+ ms|did not reach "\w+" within \d+ ms|Navigation timeout of (\d+) ?ms|ERR_(?:CONNECTION_)?TIMED_OUT|ETIMEDOUT/i,
    "The page did not finish loading in time. Look in networkEvents for a request without a status; raise timeoutMs, or use waitUntil domcontentloaded if a request streams forever",
  ),
  entry(
    "blocked-resource",
    "navigation_failed",
    "resource",
    /ERR_BLOCKED_BY_\w+|blocked by CORS policy|Mixed Content|violates the following Content Security Policy|Refused to (?:load|execute|apply)/i,
    "The browser blocked a resource because of a rule of the page or its server: check the CORS headers, Content-Security-Policy, MIME type, and http resources in an https page",
  ),
  entry(
    "missing-file",
    "navigation_failed",
    "resource",
    /ERR_FILE_NOT_FOUND|ERR_ACCESS_DENIED|ERR_FAILED|ERR_INVALID_URL|ERR_UNKNOWN_URL_SCHEME/i,
    "The file or URL does not exist or cannot be read: check the path and its spelling",
  ),
  entry(
    "resource",
    "navigation_failed",
    "resource",
    /Failed to load resource|net::ERR_CACHE|ERR_CONTENT_\w+|ERR_HTTP_RESPONSE_CODE_FAILURE|\bfailed to load\b|answered (?:4|5)\d\d/i,
    "A resource of the page failed to load: find it in networkEvents by its status or errorText, then check its path, its permissions and the server's log",
  ),
  entry(
    "unsafe-port",
    "navigation_failed",
    "network",
    /ERR_UNSAFE_PORT/i,
    "Chrome refuses to open pages on that port, because it is reserved for another protocol: use another port, such as 3000 or 8080",
  ),
  entry(
    "aborted",
    "navigation_failed",
    "network",
    /ERR_ABORTED|\baborted\b/i,
    "The request was aborted: another navigation or redirect replaced it, the response was a download, or the page cancelled it. Check the last requests in networkEvents",
  ),
  entry(
    "wait-timeout",
    "timeout",
    "automation",
    /waited \d+ ms/i,
    "What was waited for did not come: send observe to see what the page shows instead, check the spelling, or raise ms",
  ),
  entry(
    "busy-script",
    "timeout",
    "javascript",
    /a script of the page does not end/i,
    "A script of the page does not end: look for a loop without an end in the code that runs at load. The next instruction starts the browser again",
  ),
  entry(
    "hanging",
    "timeout",
    "automation",
    /took longer than \d+ ms/i,
    "The page did not answer in time: a script may be in an endless loop, or a dialog or debugger may block it. Take a screenshot, raise timeoutMs at start, or navigate away",
  ),
  entry(
    "renderer-crash",
    "outcome_unknown",
    "automation",
    /Page crashed|Target crashed|crashed/i,
    "The page's process crashed, so it is unknown how far the action got. Take a screenshot before you repeat it; the usual causes are memory and endless loops",
  ),
  entry(
    "detached",
    "outcome_unknown",
    "automation",
    /detached [Ff]rame|[Ff]rame (?:was|got) detached|[Nn]ode is (?:either not|detached)|not attached to the (?:DOM|page)|Execution context was destroyed|Cannot find context/,
    "The page changed while the action ran: wait briefly after a navigation (a wait action of 100 to 500 ms, or for a text) and send the action again",
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
    (found) => `Chrome failed with ${found[0]}: check the request in networkEvents and the server's log`,
  ),
];

/**
 * What an error means and what to do about it. Unknown errors get a general explanation.
 *
 * @example explain("net::ERR_CONNECTION_REFUSED at http://localhost:3000/", { url: "http://localhost:3000/" }).id
 * // "server-not-running"
 */
export function explain(message: string, context: ErrorContext = {}): Explanation {
  return explainWith(CATALOGUE, message, context);
}

/** The same for what this program itself threw. */
export function explainOwnError(message: string, context: ErrorContext = {}): Explanation {
  return explainWith([LAUNCH_FAILED, ...OWN_ERRORS, ...CATALOGUE], message, context);
}

function explainWith(entries: readonly Entry[], message: string, context: ErrorContext): Explanation {
  for (const { pattern, hint, ...rest } of entries) {
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
    hint: "This error is unknown: read logs and networkEvents, or send diagnose for a fuller report",
  };
}

/** The same for errors that the page itself threw, whatever their text. */
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
