/** Rejects with `error()` when a promise takes too long. */
export function withDeadline<Value>(
  promise: Promise<Value>,
  timeoutMs: number,
  error: () => Error,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(error()), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
