import { formsOf } from "./secrets.js";

/** A field that a person types into, as far as it matters here. */
export interface ValueField {
  readonly value: string;
  readonly isConnected: boolean;
}

/** Finished values of fields that are private for other reasons than being a password. */
const MAX_PRIVATE = 20;
/** Passwords are few; the bound only keeps a broken page from filling the memory. */
const MAX_PASSWORDS = 500;

const NONE: readonly string[] = [];

interface Followed {
  last: string;
  /** Hidden while it is being typed, not only when it is finished. */
  readonly live: boolean;
}

/**
 * The values that must not be seen. A password is one while it is in its field and forever after. What is typed
 * into another private field becomes one when it is finished: hiding every beginning of it would hide half the page.
 */
export class SecretValues {
  private readonly fields = new Map<WeakRef<ValueField>, Followed>();
  private readonly refs = new WeakMap<ValueField, WeakRef<ValueField>>();
  private readonly passwords = new Set<string>();
  private readonly others = new Set<string>();
  private raw = new Set<string>();
  private shapes: readonly string[] = [];

  /** Follows a field and its value. `live`: it holds a password or the like. */
  follow(field: ValueField, live: boolean): void {
    let ref = this.refs.get(field);
    if (!ref) {
      ref = new WeakRef(field);
      this.refs.set(field, ref);
      this.fields.set(ref, { last: "", live });
    }
    const followed = this.fields.get(ref);
    if (followed) this.update(followed, field.value);
  }

  /** The person has finished typing into the field. */
  finish(field: ValueField): void {
    const ref = this.refs.get(field);
    const followed = ref && this.fields.get(ref);
    if (followed) this.keep(field.value, followed.live);
  }

  /** Hides this value wherever it appears from now on. */
  keep(value: string, password: boolean): void {
    if (value === "") return;
    const values = password ? this.passwords : this.others;
    values.delete(value);
    values.add(value);
    if (values.size <= (password ? MAX_PASSWORDS : MAX_PRIVATE)) return;
    for (const oldest of values) {
      values.delete(oldest);
      break;
    }
  }

  /** Every form of every value that is known now, longest first. Made again only when a value came or went. */
  forms(): readonly string[] {
    // Asked for every name on the page; most pages have no secret at all.
    if (this.fields.size + this.passwords.size + this.others.size === 0) return NONE;
    const values = new Set<string>();
    for (const [ref, followed] of this.fields) {
      const field = ref.deref();
      if (!field) {
        this.keep(followed.last, followed.live);
        this.fields.delete(ref);
        continue;
      }
      if (typeof field.value === "string") this.update(followed, field.value);
      if (followed.live) values.add(followed.last);
      else if (!field.isConnected) this.keep(followed.last, false);
    }
    for (const kept of [this.passwords, this.others]) for (const value of kept) values.add(value);
    let same = values.size === this.raw.size;
    if (same) for (const value of values) same &&= this.raw.has(value);
    if (same) return this.shapes;
    this.raw = values;
    this.shapes = [...new Set([...values].flatMap(formsOf))].sort((a, b) => b.length - a.length);
    return this.shapes;
  }

  /** A value that is replaced or emptied was whole; one that loses a single character is being typed. */
  private update(followed: Followed, now: string): void {
    const { last, live } = followed;
    if (now === last) return;
    if (lost(last, now) > 1) this.keep(last, live);
    followed.last = now;
  }
}

/** How many characters of `before` are gone, apart from what was put in. */
function lost(before: string, now: string): number {
  const most = Math.min(before.length, now.length);
  let start = 0;
  while (start < most && before[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === now[now.length - 1 - end]) end++;
  return before.length - start - end;
}
