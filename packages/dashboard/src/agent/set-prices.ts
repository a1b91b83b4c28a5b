import { useSyncExternalStore } from "react";
import { type Price, type Prices, readPrices } from "./model-prices.js";

const KEY = "debug-bridge-prices";
const listeners = new Set<() => void>();
/** What was read last, so that what did not change is the same object. */
let known: { readonly text: string | null; readonly prices: Prices } = { text: null, prices: new Map() };

function current(): Prices {
  let text: string | null = null;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    // Without storage nothing is set.
  }
  if (text !== known.text) known = { text, prices: readPrices(text) };
  return known.prices;
}

/** Sets the price of a model, or removes it. It is kept in this browser. */
export function setPrice(model: string, price: Price | undefined): void {
  const prices = new Map(current());
  if (price) prices.set(model, price);
  else prices.delete(model);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(prices)));
  } catch {
    // Without storage it cannot be kept.
  }
  for (const listener of listeners) listener();
}

/** The prices that the person set. */
export function usePrices(): Prices {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
}
