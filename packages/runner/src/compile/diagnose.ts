import { maskUrl } from "@debug-bridge/driver";
import { BridgeError, type Log, type NetworkEvent } from "@debug-bridge/protocol";
import { type ErrorCategory, explain } from "../diagnosis/catalogue.js";
import type { ActionContext, ActionYield, InstructionOf } from "./context.js";
import { overview, visit } from "./visit.js";

/** One thing that is wrong with a page. */
interface Finding {
  readonly category: ErrorCategory | "performance" | "content";
  readonly what: string;
  readonly hint: string;
}

interface Evidence {
  readonly logs: readonly Log[];
  readonly networkEvents: readonly NetworkEvent[];
  readonly shown: Record<string, unknown>;
  readonly lcp: number | undefined;
}

type Check = (evidence: Evidence, context: ActionContext) => Finding[];

const SLOW_LCP_MS = 4_000;
const SLOW_REQUEST_MS = 3_000;
const MAX_OF_A_KIND = 10;
/** The navigation did not happen, or its outcome is unknown, so the page cannot be judged. */
const NOT_ABOUT_PAGE: ReadonlySet<string> = new Set([
  ...["read_only", "lease_held", "outcome_unknown", "app_not_connected"],
]);

/** In the order in which a person would check them. */
const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ["the document", theDocument],
  ["JavaScript errors", javaScript],
  ["failed requests", requests],
  ["the console", theConsole],
  ["the page's content", content],
  ["speed", speed],
];

/** Checks a page for problems, step by step, and suggests a fix for each. */
export async function diagnose(
  context: ActionContext,
  { url, steps = CHECKS.length + 1 }: InstructionOf<"diagnose">,
): Promise<ActionYield> {
  const findings: Finding[] = [];
  const checked: string[] = [];
  let left = steps;
  if (url !== undefined) {
    checked.push(`loaded ${url}`);
    left--;
    try {
      await visit(context, { url });
    } catch (thrown) {
      const { code, message } = BridgeError.from(thrown);
      if (context.page.lost !== undefined || NOT_ABOUT_PAGE.has(code)) throw thrown;
      const { category, hint } = explain(message, { url });
      findings.push({ category, what: message, hint });
      return { result: { healthy: false, findings, checked } };
    }
  }
  const evidence = await gather(context);
  for (const [name, check] of CHECKS.slice(0, left)) {
    checked.push(name);
    findings.push(...check(evidence, context));
  }
  return { result: { healthy: findings.length === 0, page: evidence.shown, findings, checked } };
}

async function gather(context: ActionContext): Promise<Evidence> {
  const { page, report, logs } = context;
  const shown = await overview(context);
  await page.driver.recorded();
  await report.settled();
  return {
    shown,
    logs: logs.recentErrors,
    networkEvents: report.recentRequests,
    lcp: report.timings.lcp,
  };
}

function theDocument({ networkEvents }: Evidence, { page }: ActionContext): Finding[] {
  return networkEvents
    .filter(
      ({ resourceType, url, status }) =>
        resourceType === "document" && url === maskUrl(page.driver.url) && (status ?? 0) >= 400,
    )
    .map(({ status, url }) => finding(`the server answered ${status} to ${url}`, url));
}

function javaScript({ logs }: Evidence): Finding[] {
  return logs
    .filter(
      ({ source, type, category }) => source === "browser" && type === "error" && category === "javascript",
    )
    .slice(0, MAX_OF_A_KIND)
    .map(({ message, stack, location }) => {
      const frame =
        /\n[ \t]+at (.*)/.exec(stack ?? "")?.[1] ??
        (location && `${location.url}:${location.line}:${location.column}`);
      const { id, hint } = explain(message);
      return {
        category: "javascript" as const,
        what: frame ? `${message}, at ${frame}` : message,
        hint: id === "unknown" ? "Follow the stack in logs to the line that threw" : hint,
      };
    });
}

function requests({ networkEvents }: Evidence, { page }: ActionContext): Finding[] {
  return networkEvents
    .filter(({ url }) => url !== maskUrl(page.driver.url))
    .filter(
      ({ status = 0, errorText }) =>
        status >= 400 || (errorText !== undefined && !/ERR_ABORTED|canceled/.test(errorText)),
    )
    .slice(0, MAX_OF_A_KIND)
    .map(({ method, url, status, errorText }) =>
      finding(
        errorText === undefined
          ? `${method} ${url} answered ${status}`
          : `${method} ${url} failed: ${errorText}`,
        url,
      ),
    );
}

function theConsole({ logs }: Evidence): Finding[] {
  return logs
    .filter(
      ({ source, type, category }) => source === "browser" && type === "error" && category === "console",
    )
    .slice(0, MAX_OF_A_KIND)
    .map(({ message }) => {
      const { id, category, hint } = explain(message);
      return id === "unknown"
        ? {
            category: "javascript" as const,
            what: `console.error: ${message}`,
            hint: "The app logs this itself: search its code for that text",
          }
        : { category, what: `console.error: ${message}`, hint };
    });
}

function content({ shown }: Evidence): Finding[] {
  if (shown.note) {
    return [
      {
        category: "content",
        what: String(shown.note),
        hint: "Take a screenshot, and check for a script in an endless loop",
      },
    ];
  }
  const lines = String(shown.ui ?? "")
    .split("\n")
    .slice(1, -1)
    .join("")
    .trim();
  if (lines !== "") return [];
  return [
    {
      category: "content",
      what: "the page has no element that can be used",
      hint: "If the page should not be empty, its script may not have run: check the JavaScript errors, the requests, and whether the root element exists",
    },
  ];
}

function speed({ lcp, networkEvents }: Evidence): Finding[] {
  const slow = networkEvents
    .filter(({ durationMs = 0 }) => durationMs > SLOW_REQUEST_MS)
    .slice(0, MAX_OF_A_KIND);
  return [
    ...(lcp !== undefined && lcp > SLOW_LCP_MS
      ? [
          {
            category: "performance" as const,
            what: `the largest content appeared after ${Math.round(lcp)} ms`,
            hint: "Look in networkEvents for the requests that it waited for",
          },
        ]
      : []),
    ...slow.map(({ url, durationMs }) => ({
      category: "performance" as const,
      what: `${url} took ${Math.round(durationMs ?? 0)} ms`,
      hint: "The server is slow to answer this request: check the server's log",
    })),
  ];
}

function finding(what: string, url: string): Finding {
  const { category, hint } = explain(what, { url });
  return { category, what, hint };
}
