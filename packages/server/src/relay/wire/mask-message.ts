import { maskUrl } from "@debug-bridge/driver";
import { MASK } from "@debug-bridge/protocol";

type Members = Readonly<Record<string, unknown>>;

/** Commands whose text is what a person or an agent types. */
const TYPING = new Set(["Input.insertText", "Input.dispatchKeyEvent", "Input.imeSetComposition"]);
const TYPED = new Set(["text", "unmodifiedText", "key", "code", "keyIdentifier", "commands"]);
/** Bodies of requests and answers: they hold forms and tokens. */
const BODIES = new Set(["postData", "postDataEntries", "body", "rawResponse", "headersText"]);
/** Larger messages are logged by their length alone: masking them would cost too much. */
const MAX_MASKED = 100_000;

/**
 * A message of CDP for the log: without what is typed, without cookies, bodies, and values with a secret name.
 * `undefined` when it cannot be masked.
 */
export function maskMessage(text: string): string | undefined {
  if (text.length > MAX_MASKED) return undefined;
  try {
    return maskUrl(JSON.stringify(mask(JSON.parse(text) as unknown, false)));
  } catch {
    return undefined;
  }
}

function mask(value: unknown, typing: boolean): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mask(item, typing));
  const members = value as Members;
  const types = typing || TYPING.has(String(members.method));
  const hidesValue = isCookie(members) || isSecretHeader(members);
  return Object.fromEntries(
    Object.entries(members).map(([key, member]) => {
      const hidden =
        BODIES.has(key) ||
        (types && TYPED.has(key)) ||
        (hidesValue && key === "value") ||
        isCookieHeader(key);
      return [key, hidden && member !== undefined ? MASK : mask(member, types)];
    }),
  );
}

/** As `Network.getCookies` returns them and `Network.setCookie` takes them. */
const isCookie = (members: Members): boolean =>
  "value" in members &&
  "name" in members &&
  ("domain" in members || "httpOnly" in members || "url" in members);

/** A header as `Fetch` has it. */
const isSecretHeader = ({ name }: Members): boolean =>
  typeof name === "string" &&
  (isCookieHeader(name) || /^(?:proxy-)?authorization$|token|secret|api-?key/i.test(name));

const isCookieHeader = (name: string): boolean => /^(?:set-)?cookie$/i.test(name);
