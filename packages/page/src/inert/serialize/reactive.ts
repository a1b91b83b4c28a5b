/**
 * The target of a reactive proxy. Reading through the proxy would make the object a dependency of the effect that logs
 * it. Vue keeps the raw object under a name; MobX keeps the values under a symbol. For worlds that load too late to see
 * how a proxy was made; this does run traps of the proxy.
 */
export function reactiveTarget(value: object): object | undefined {
  try {
    const { __v_raw: raw } = value as { __v_raw?: unknown };
    if (typeof raw === "object" && raw !== null) return raw;
    const symbol = Object.getOwnPropertySymbols(value).find(
      ({ description }) => description === "mobx administration",
    );
    const values = symbol && (value as Record<symbol, { values_?: unknown }>)[symbol]?.values_;
    if (values instanceof Map)
      return Object.fromEntries([...values].map(([key, box]) => [key, (box as { value_?: unknown }).value_]));
    return Array.isArray(values) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** MobX tracks even reads of an object's symbols, for the derivation named here. */
export function untracked<Value>(run: () => Value): Value {
  const mobx = (globalThis as { __mobxGlobals?: { trackingDerivation: unknown } }).__mobxGlobals;
  if (!mobx) return run();
  const { trackingDerivation } = mobx;
  mobx.trackingDerivation = null;
  try {
    return run();
  } finally {
    mobx.trackingDerivation = trackingDerivation;
  }
}
