import { isObject } from "../../input/is-object.js";
import { isKnownRead } from "./digests.js";
import { isPlaywrightCall, type KnownCall, playwrightRead } from "./playwright.js";

type CdpParams = Readonly<Record<string, unknown>>;

/** Puppeteer adds the place that a function comes from. It has to be one comment, up to the end of the text. */
const SOURCE_URL = /\n\/\/# sourceURL=[^\n\r\u2028\u2029]*\n?$/;
/** What Puppeteer's binding for its ARIA selectors is called with. Its names become names of globals. */
const BINDING_ARGUMENTS = /^\["internal","__ariaQuerySelector(All)?","puppeteer_"\]$/;
const INJECTED = ".InjectedScript())(globalThis, ";

/**
 * Recognises code that Playwright or Puppeteer themselves send to read a page, by the digests of their released versions.
 * Returns the parameters to send, or nothing for any other code. The sender must make sure that it runs in a world
 * where no other code of a client has run.
 */
export function recogniseRead(method: string, params: CdpParams): CdpParams | undefined {
  const found = method === "Runtime.evaluate" ? readScript(params) : readCall(params);
  return found && { ...params, ...found, userGesture: false, throwOnSideEffect: false };
}

function readScript({ expression }: CdpParams): CdpParams | undefined {
  if (typeof expression !== "string") return undefined;
  const plain = { includeCommandLineAPI: false, replMode: false };
  if (isKnownRead("script", withoutPlace(expression))) return plain;
  const parts = splitInjected(expression);
  return parts && isKnownRead("injected", parts.text) && isHarmless(parts.options) ? plain : undefined;
}

/** Playwright's injected script, without the options that it ends with. */
export function splitInjected(text: string): { text: string; options: string } | undefined {
  const start = text.lastIndexOf(INJECTED);
  if (start < 0) return undefined;
  const from = start + INJECTED.length;
  const to = text.indexOf(");\n", from);
  return to < 0
    ? undefined
    : { text: `${text.slice(0, from)}${text.slice(to)}`, options: text.slice(from, to) };
}

/** The options are data, and there are no selector engines of the client: those are code. */
function isHarmless(options: string): boolean {
  let values: unknown;
  try {
    values = JSON.parse(`[${options}]`);
  } catch {
    return false;
  }
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  return (values as unknown[]).every(
    (value) =>
      !isObject(value) ||
      isEmpty(value) ||
      (!Array.isArray(value) && Object.values(value).every((each) => !isObject(each) || isEmpty(each))),
  );
}

function readCall(params: CdpParams): CdpParams | undefined {
  const { functionDeclaration } = params;
  const given = params.arguments ?? [];
  if (typeof functionDeclaration !== "string" || !Array.isArray(given)) return undefined;
  const call: KnownCall = { given: given as KnownCall["given"] };
  if (!call.given.every(isObject)) return undefined;
  if (isPlaywrightCall(functionDeclaration)) return playwrightRead(call);
  const text = withoutPlace(functionDeclaration);
  if (isKnownRead("function", text)) return {};
  if (!isKnownRead("binding", text)) return undefined;
  return BINDING_ARGUMENTS.test(JSON.stringify(call.given.map(({ value }) => value))) ? {} : undefined;
}

export function withoutPlace(text: string): string {
  return text.replace(SOURCE_URL, "");
}
