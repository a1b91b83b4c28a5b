import { MASK } from "@debug-bridge/protocol";
import { maskText } from "../inert/secrets/mask-text.js";
import { isSecretName } from "../inert/secrets/secret-names.js";
import type { Censor } from "../inert/serialize/serialize-budget.js";
import { closestAcross, parentAcross } from "../view/elements/dom.js";
import { SecretValues } from "./secret-values.js";
import { isSecretAutocomplete, maskValues } from "./secrets.js";

/**
 * What an app hides in addition to what is always hidden: a list of CSS selectors and key names, or a function that is
 * called for every element and every name: keys of state and JSON, parameters of URLs, attributes.
 *
 * @example redact: [".salary", "iban"]
 * @example redact: (what) => what.key === "iban" || what.element?.matches(".salary") === true
 */
export type Redact = readonly string[] | ((what: { key?: string; element?: Element }) => boolean);

/** Marks everything below it as private. */
const MASK_ATTRIBUTE = "[data-bridge-mask]";
export const FIELDS = "input,textarea,select";
/** What these hold was chosen, not typed: "card" or "2027" would be hidden all over the page. */
const CHOSEN = /^(?:checkbox|radio|submit|button|reset|image|file|range|color|select-one|select-multiple)$/;
/** A secret that is cut in two by the end of a part is within this many characters of it. */
const MARGIN = 1_024;
const MAX_FRESH = 200;

/** Fields of messages that name things of ours: a secret that happens to be the word "error" must not break them. */
const STRUCTURE = new Set(
  "type level phase api kind mutationType ref hiddenBy scope direction capabilities role id field requestType targetSelector selector attributeName".split(
    " ",
  ),
);

/** Decides what is secret, and hides it, before anything leaves the page. */
export class Masker implements Censor {
  readonly mask = MASK;
  /** Selects what the app marked private. */
  readonly selectors: string;
  private readonly keys: ReadonlySet<string>;
  readonly ask: ((what: { key?: string; element?: Element }) => boolean) | undefined;
  /** Fields that are or were secret: a password stays one while "show password" makes it plain text. */
  private readonly known = new WeakSet<Element>();
  private readonly values = new SecretValues();
  private fresh: WeakRef<ParentNode>[] = [];
  /** Nothing is marked private at the moment, so ancestors need not be checked. */
  nothingMarked = false;

  constructor(redact: Redact = []) {
    this.ask = typeof redact === "function" ? redact : undefined;
    const list = typeof redact === "function" ? [] : redact;
    const usable = list.filter(isSelector);
    this.selectors = [MASK_ATTRIBUTE, ...usable].join(",");
    this.keys = new Set(list.map((entry) => entry.toLowerCase()));
  }

  /** Whether the value of this name must not be seen. An object called "auth" is no secret; what is in it may be. */
  readonly hides = (key: string, value?: unknown): boolean => {
    const hidden = isSecretName(key) || this.named(key);
    if (!hidden || typeof value !== "object" || value === null) return hidden;
    return !/auth$/i.test(key) || this.named(key);
  };

  private named(key: string): boolean {
    return this.keys.has(key.toLowerCase()) || (this.ask ? answers(() => this.ask?.({ key })) : false);
  }

  /** Whether the app marked the element, or an ancestor, as private. */
  isPrivate(element: Element): boolean {
    if (this.nothingMarked) return false;
    if (closestAcross(element, this.selectors)) return true;
    for (let at: Element | null = element; at; at = parentAcross(at)) {
      if (this.matchesRedact(at)) return true;
      // What is in a slot is seen where the slot is.
      if (at.assignedSlot && closestAcross(at.assignedSlot, this.selectors)) return true;
    }
    return false;
  }

  /** Whether the content of a node that the app prints must not be seen. */
  hidesNode(node: object): boolean {
    return this.isPrivate(node as Element) || this.isSecretField(node as Element);
  }

  /** Whether the app's own function calls this element private. */
  matchesRedact(element: Element): boolean {
    return this.ask ? answers(() => this.ask?.({ element })) : false;
  }

  /** Whether what is typed into this field must not be seen. */
  isSecretField(element: Element): boolean {
    if (this.known.has(element)) return true;
    if (!this.looksSecret(element)) return this.isPrivate(element);
    this.known.add(element);
    if (isTyped(element)) this.values.follow(element, true);
    return true;
  }

  private looksSecret(element: Element): boolean {
    const { localName } = element;
    if (localName !== "input" && localName !== "textarea" && localName !== "select") return false;
    const { type } = element as HTMLInputElement;
    if (type === "password") return true;
    if (type === "checkbox" || type === "radio" || type === "submit" || type === "button") return false;
    const autocomplete = element.getAttribute("autocomplete");
    if (autocomplete && isSecretAutocomplete(autocomplete)) return true;
    const { id } = element;
    const name = element.getAttribute("name");
    const label = element.getAttribute("aria-label");
    return [name, id, label].some((word) => word && this.hides(word));
  }

  /**
   * Tracks a field whose value just changed. What was typed there stays hidden after the field is emptied.
   * `finished`: the person left it.
   */
  trackInput(element: Element, finished = false): void {
    if (!element.matches?.(FIELDS) || !this.isSecretField(element) || !isTyped(element)) return;
    this.values.follow(element, this.known.has(element));
    if (finished) this.values.finish(element);
  }

  /** Hides this value wherever it appears from now on. */
  remember(value: string): void {
    this.values.keep(value, false);
  }

  /** A root that was just made: what will be put into it is looked for before the next messages. */
  expect(root: ParentNode): void {
    this.fresh.push(new WeakRef(root));
    if (this.fresh.length > MAX_FRESH) this.fresh.shift();
  }

  /** Finds passwords that nobody typed: prefilled ones that the app may log before anything else reports them. */
  private findPasswords(): void {
    const inputs = globalThis.document?.getElementsByTagName("input") ?? [];
    for (const input of inputs) if (input.type === "password") this.isSecretField(input);
    for (const ref of this.fresh)
      for (const field of ref.deref()?.querySelectorAll(FIELDS) ?? []) this.isSecretField(field);
  }

  readonly text = (text: string): string => maskValues(text, this.values.forms());

  /** A body, a script, a log line: masked by the names in it and by known values. */
  readonly body = (text: string): string => this.text(maskText(text, this.hides));

  /** A URL, or words with URLs in them. */
  readonly url = (url: string): string => this.body(url);

  /** At most so many characters of a text, masked before it is cut, so that no half of a secret is left at the cut. */
  fit(text: string, most: number, how: (text: string) => string = this.body): string {
    const part = text.slice(0, 2 * most + MARGIN);
    const masked = how(part);
    const sure = part.length < text.length ? masked.slice(0, -MARGIN) : masked;
    if (sure.length <= most && part.length === text.length) return sure;
    const kept = sure.slice(0, most).replace(/[\ud800-\udbff]$/, "");
    return `${kept}… [${text.length - kept.length} more characters]`;
  }

  /** A whole message, with every known secret value replaced. */
  message<Message>(message: Message): Message {
    this.findPasswords();
    const values = this.values.forms();
    if (values.length === 0) return message;
    return replaceDeep(message, values) as Message;
  }
}

function replaceDeep(value: unknown, values: readonly string[], key = ""): unknown {
  if (typeof value === "string") return STRUCTURE.has(key) ? value : maskValues(value, values);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaceDeep(item, values, key));
  const out: Record<string, unknown> = {};
  for (const name of Object.keys(value))
    out[name] = replaceDeep((value as Record<string, unknown>)[name], values, name);
  return out;
}

function isTyped(element: Element): element is HTMLInputElement {
  return !CHOSEN.test((element as HTMLInputElement).type);
}

function isSelector(text: string): boolean {
  try {
    document.createDocumentFragment().querySelector(text);
    // A bare word is a key name; it would be a valid selector for a tag that does not exist.
    return /[^\w-]/.test(text);
  } catch {
    return false;
  }
}

function answers(ask: () => boolean | undefined): boolean {
  try {
    return ask() === true;
  } catch {
    // A redact function that fails must not uncover anything.
    return true;
  }
}
