/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What the person says that models cost, by their names. */
export type Prices = ReadonlyMap<string, Price>;

/** Tokens of one answer. `input` is all of them, including those from and to the cache. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Tokens of one answer, and the model that they are of. */
export interface Usage {
  readonly model: string | undefined;
  readonly tokens: Tokens;
}

/** The name of a model without its provider and its date. */
export const plainModel = (model: string): string =>
  model
    .trim()
    .replace(/^[\w-]+\//, "")
    .replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, "");

/** What tokens cost in US dollars; `undefined` when the price of a model is not set: a sum without some of its parts would be too low. */
export function costOf(usages: readonly Usage[], prices: Prices): number | undefined {
  let sum = 0;
  for (const { model, tokens } of usages) {
    const found = model === undefined ? undefined : prices.get(plainModel(model));
    if (!found) return undefined;
    const { input, output, cacheRead, cacheWrite } = tokens;
    const fresh = Math.max(0, input - cacheRead - cacheWrite);
    sum +=
      fresh * found.input +
      cacheRead * found.cacheRead +
      cacheWrite * found.cacheWrite +
      output * found.output;
  }
  return usages.length === 0 ? undefined : sum / 1_000_000;
}

/** `$0.0042`, `$1.27` */
export const costText = (dollars: number): string =>
  dollars >= 1 ? `$${dollars.toFixed(2)}` : `$${dollars.toPrecision(2)}`;

const isAmount = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value < 1_000_000;

/** Prices as they were stored. Whatever else is stored counts as nothing. */
export function readPrices(text: string | null): Prices {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return new Map(
      Object.entries(value as object).flatMap(([model, price]) => {
        const { input, output, cacheRead, cacheWrite } = (price ?? {}) as Partial<Price>;
        return [input, output, cacheRead, cacheWrite].every(isAmount)
          ? [[model, { input, output, cacheRead, cacheWrite } as Price] as const]
          : [];
      }),
    );
  } catch {
    return new Map();
  }
}
