import { MASK } from "@debug-bridge/protocol";
import { closestAcross } from "./look/dom.js";
import { formsOf, isSecretAutocomplete, isSecretName, maskPairs, maskUrl, maskValues } from "./secrets.js";
import type { Censor } from "./serialize.js";

/**
 * What an app wants hidden besides what is hidden anyway: a list of CSS selectors and key names, or a function that
 * is asked for every key of state and every element.
 *
 * @example redact: [".salary", "iban"]
 * @example redact: (what) => what.key === "iban" || what.element?.matches(".salary") === true
 */
export type Redact = readonly string[] | ((what: { key?: string; element?: Element }) => boolean);

const REMEMBERED = 20;
/** Marks everything below it as private. */
const MASK_ATTRIBUTE = "[data-bridge-mask]";
const FIELDS = "input,textarea,select";

/** Fields of messages that name things of ours: a secret that happens to be the word "error" must not break them. */
const STRUCTURE = new Set([
  ...[
    "type",
    "level",
    "phase",
    "api",
    "kind",
    "mutationType",
    "ref",
    "hiddenBy",
    "scope",
    "direction",
    "capabilities",
  ],
  ...["role", "id", "field", "requestType", "targetSelector", "selector", "attributeName"],
]);

/** Decides what is secret, and hides it, before anything leaves the page. */
export class Masker implements Censor {
  readonly mask = MASK;
  private readonly selectors: string;
  private readonly keys: ReadonlySet<string>;
  private readonly ask: ((what: { key?: string; element?: Element }) => boolean) | undefined;
  /** Fields that are or were secret: a password stays one while "show password" makes it plain text. */
  private readonly fields = new Set<WeakRef<Element>>();
  private readonly known = new WeakSet<Element>();
  private readonly typed = new Map<WeakRef<Element>, string>();
  private readonly past: string[] = [];

  constructor(redact: Redact = []) {
    this.ask = typeof redact === "function" ? redact : undefined;
    const list = typeof redact === "function" ? [] : redact;
    const usable = list.filter(isSelector);
    this.selectors = [MASK_ATTRIBUTE, ...usable].join(",");
    this.keys = new Set(list.map((entry) => entry.toLowerCase()));
  }

  hides(key: string): boolean {
    if (isSecretName(key) || this.keys.has(key.toLowerCase())) return true;
    return this.ask ? answers(() => this.ask?.({ key })) : false;
  }

  /** Whether the element, or what it stands in, was marked private by the app. */
  isPrivate(element: Element): boolean {
    if (closestAcross(element, this.selectors)) return true;
    return this.ask ? answers(() => this.ask?.({ element })) : false;
  }

  /** Whether the app marked this very element private. */
  isMarked(element: Element): boolean {
    if (element.matches(this.selectors)) return true;
    return this.ask ? answers(() => this.ask?.({ element })) : false;
  }

  /** Whether what is typed into this field must not be seen. */
  isSecretField(element: Element): boolean {
    if (this.known.has(element)) return true;
    if (!this.looksSecret(element)) return this.isPrivate(element);
    this.known.add(element);
    this.fields.add(new WeakRef(element));
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
    return [name, id, label].some(
      (word) => word && (isSecretName(word) || this.keys.has(word.toLowerCase())),
    );
  }

  /** Takes note of a field whose value just changed; what was typed there stays hidden after the field is emptied. */
  noteInput(element: Element): void {
    if (!element.matches?.(FIELDS) || !this.isSecretField(element)) return;
    const ref = [...this.fields].find((field) => field.deref() === element);
    const { value } = element as HTMLInputElement;
    const before = ref ? this.typed.get(ref) : undefined;
    if (before && !value.startsWith(before)) this.remember(before);
    if (ref && value !== "") this.typed.set(ref, value);
    else if (!ref) this.remember(value);
  }

  /** Hides this value wherever it turns up from now on. */
  remember(value: string): void {
    if (value.length < 4 || this.past.includes(value)) return;
    this.past.push(value);
    if (this.past.length > REMEMBERED) this.past.shift();
  }

  /** Finds the secret fields of a root, so that their values are known before the first message. */
  scan(root: ParentNode): void {
    for (const field of root.querySelectorAll(FIELDS)) this.isSecretField(field);
  }

  text(text: string): string {
    const values = this.values();
    return values.length === 0 ? text : maskValues(text, values);
  }

  url(url: string): string {
    return this.text(maskUrl(url));
  }

  /** A body, a script, a log line: masked by the names in it and by known values. */
  body(text: string): string {
    return this.text(maskPairs(text));
  }

  /** A whole message, with every known secret value replaced. */
  message<Message>(message: Message): Message {
    const values = this.values();
    if (values.length === 0) return message;
    return replaceDeep(message, values) as Message;
  }

  private raw: string[] = [];
  private forms: string[] = [];

  /** Every form of every secret that is known now. Asked for each text, so the forms are kept while nothing changed. */
  private values(): string[] {
    if (this.past.length === 0 && this.fields.size === 0) return this.past;
    const values = new Set(this.past);
    for (const ref of this.fields) {
      const field = ref.deref() as HTMLInputElement | undefined;
      if (!field) {
        this.fields.delete(ref);
        continue;
      }
      if (typeof field.value === "string") values.add(field.value);
      const typed = this.typed.get(ref);
      if (typed) values.add(typed);
    }
    if (values.size !== this.raw.length || this.raw.some((value) => !values.has(value))) {
      this.raw = [...values];
      this.forms = this.raw.flatMap(formsOf).sort((a, b) => b.length - a.length);
    }
    return this.forms;
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
