/** When the prices below were read from the lists of the providers. */
export const PRICES_AS_OF = "2026-11-16";

/** US dollars for a million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const price = (input: number, output: number, cacheRead: number, cacheWrite = input): Price => ({
  ...{ input, output, cacheRead, cacheWrite },
});

/** List prices. A model whose price depends on more than its tokens is left out: no cost is better than a wrong one. */
const PRICES: Readonly<Record<string, Price>> = {
  "claude-fable-5-1": price(10, 50, 0.25, 12.5),
  "claude-opus-5": price(5, 25, 0.5, 6.25),
  "claude-opus-4-8": price(5, 25, 0.5, 6.25),
  "claude-opus-4-7": price(5, 25, 0.5, 6.25),
  "claude-opus-4-6": price(5, 25, 0.5, 6.25),
  "claude-opus-4-5": price(5, 25, 0.5, 6.25),
  "claude-sonnet-5": price(2, 10, 0.2, 2.5),
  "claude-sonnet-4-5": price(3, 15, 0.3, 3.75),
  "claude-haiku-4-5": price(1, 5, 0.1, 1.25),
  "gpt-5": price(1.25, 10, 0.125),
  "gpt-5.1": price(1.25, 10, 0.125),
  "gpt-5-codex": price(1.25, 10, 0.125),
};

/** Tokens of one answer. `input` is all of them, including those from and to the cache. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What tokens cost in US dollars at list prices; `undefined` when the price of the model is not known. */
export function costOf(model: string | undefined, tokens: Tokens): number | undefined {
  const name = (model ?? "").replace(/^[\w-]+\//, "").replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");
  const found = Object.hasOwn(PRICES, name) ? PRICES[name] : undefined;
  if (!found) return undefined;
  const { input, output, cacheRead, cacheWrite } = tokens;
  const fresh = Math.max(0, input - cacheRead - cacheWrite);
  return (
    (fresh * found.input +
      cacheRead * found.cacheRead +
      cacheWrite * found.cacheWrite +
      output * found.output) /
    1_000_000
  );
}

/** `$0.0042`, `$1.27` */
export const costText = (dollars: number): string =>
  dollars >= 1 ? `$${dollars.toFixed(2)}` : `$${dollars.toPrecision(2)}`;
