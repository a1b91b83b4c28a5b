import { BridgeError } from "@debug-bridge/protocol";

/** Decides whether a breakpoint matches its subject. */
export type Condition = (subject: unknown) => boolean;

type Term = (subject: unknown) => unknown;

const TOKEN =
  /\s*(?:(?<number>-?\d+(?:\.\d+)?)|(?<string>"(?:[^"\\]|\\.)*")|(?<path>[A-Za-z_$][\w$]*(?:\.[\w$]+|\[\d+\])*)|(?<op>&&|\|\||==|!=|<=|>=|[<>!()]))/y;
const MAX_DEPTH = 50;

interface Token {
  readonly kind: "number" | "string" | "path" | "op";
  readonly text: string;
}

const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

const COMPARISONS: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
  "<": (left, right) => order(left, right) < 0,
  "<=": (left, right) => order(left, right) <= 0,
  ">": (left, right) => order(left, right) > 0,
  ">=": (left, right) => order(left, right) >= 0,
  contains: (left, right) =>
    typeof left === "string"
      ? typeof right === "string" && left.includes(right)
      : Array.isArray(left) && left.includes(right),
};

/**
 * Parses a condition such as `input.path == "package.json" && iteration > 3`. Paths read the subject's own data.
 * Comparisons are `== != < <= > >= contains`, combined with `&& || !` and parentheses. A condition is not JavaScript:
 * it cannot call anything, so it has no side effects and always ends.
 */
export function parseCondition(text: string): Condition {
  const term = new Parser(text).parse();
  return (subject) => Boolean(term(subject));
}

class Parser {
  private readonly tokens: Token[];
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {
    this.tokens = tokensOf(text);
  }

  parse(): Term {
    const term = this.disjunction();
    if (this.at < this.tokens.length) throw this.syntaxError(this.tokens[this.at]);
    return term;
  }

  private disjunction(): Term {
    let left = this.conjunction();
    while (this.accept("||")) {
      const [first, second] = [left, this.conjunction()];
      left = (subject) => Boolean(first(subject)) || Boolean(second(subject));
    }
    return left;
  }

  private conjunction(): Term {
    let left = this.comparison();
    while (this.accept("&&")) {
      const [first, second] = [left, this.comparison()];
      left = (subject) => Boolean(first(subject)) && Boolean(second(subject));
    }
    return left;
  }

  private comparison(): Term {
    const left = this.operand();
    const compare = COMPARISONS[this.tokens[this.at]?.text ?? ""];
    if (!compare || this.tokens[this.at]?.kind === "string") return left;
    this.at++;
    const right = this.operand();
    return (subject) => compare(left(subject), right(subject));
  }

  private operand(): Term {
    if (++this.depth > MAX_DEPTH)
      throw new BridgeError(
        "invalid_message",
        `the condition nests deeper than ${MAX_DEPTH} levels; flatten it`,
      );
    try {
      if (this.accept("!")) {
        const inner = this.operand();
        return (subject) => !inner(subject);
      }
      if (this.accept("(")) {
        const inner = this.disjunction();
        if (!this.accept(")")) throw this.syntaxError(this.tokens[this.at]);
        return inner;
      }
      return this.value();
    } finally {
      this.depth--;
    }
  }

  private value(): Term {
    const token = this.tokens[this.at++];
    if (token?.kind === "number") return constant(Number(token.text));
    if (token?.kind === "string") return constant(readString(token.text, this.text));
    if (token?.kind !== "path" || token.text === "contains") throw this.syntaxError(token);
    if (Object.hasOwn(WORDS, token.text)) return constant(WORDS[token.text]);
    const steps = token.text.replaceAll(/\[(\d+)\]/g, ".$1").split(".");
    return (subject) => steps.reduce(member, subject);
  }

  private accept(op: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== "op" || token.text !== op) return false;
    this.at++;
    return true;
  }

  private syntaxError(token: Token | undefined): BridgeError {
    const found = token ? `${JSON.stringify(token.text)} is unexpected` : "unexpected end";
    return new BridgeError(
      "invalid_message",
      `the condition ${JSON.stringify(this.text)} is not valid: ${found}; use the form: input.path == "a.txt" && iteration > 3`,
    );
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text)?.groups;
    const entry = Object.entries(found ?? {}).find(([, value]) => value !== undefined);
    if (!entry) {
      throw new BridgeError(
        "invalid_message",
        `the condition ${JSON.stringify(text)} is not valid at ${JSON.stringify(text.slice(at, at + 20))}; strings need double quotes`,
      );
    }
    tokens.push({ kind: entry[0] as Token["kind"], text: entry[1] as string });
  }
  return tokens;
}

function readString(token: string, text: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    throw new BridgeError(
      "invalid_message",
      `the condition ${JSON.stringify(text)} has an invalid string: ${token}`,
    );
  }
}

const constant =
  (value: unknown): Term =>
  () =>
    value;

/** Reads own properties only: methods and prototypes cannot be reached. */
function member(value: unknown, key: string): unknown {
  if (key === "length" && typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/** Compares two numbers or two strings. Other values have no order: every comparison of NaN is false. */
function order(left: unknown, right: unknown): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  return Number.NaN;
}
