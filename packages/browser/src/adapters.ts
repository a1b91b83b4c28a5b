/**
 * Small bridges from state libraries to `sendCustomState`. Each needs only the part of the library that it names, so
 * none of them is a dependency. All return a function that stops the reporting.
 *
 * @example
 * const stop = reduxState(store)((state) => bridge.sendCustomState("redux", state));
 */
export type StateSource<State> = (report: (state: State) => void) => () => void;

/** A Redux store, or anything with `getState` and `subscribe`. */
export function reduxState<State>(store: {
  getState(): State;
  subscribe(listener: () => void): () => void;
}): StateSource<State> {
  return (report) => {
    report(store.getState());
    return store.subscribe(() => report(store.getState()));
  };
}

/** A Zustand store; functions in it (its actions) are left out. */
export function zustandState<State extends object>(store: {
  getState(): State;
  subscribe(listener: (state: State) => void): () => void;
}): StateSource<Partial<State>> {
  const data = (state: State): Partial<State> =>
    Object.fromEntries(
      Object.entries(state).filter(([, value]) => typeof value !== "function"),
    ) as Partial<State>;
  return (report) => {
    report(data(store.getState()));
    return store.subscribe((state) => report(data(state)));
  };
}

interface Query {
  readonly queryKey: unknown;
  readonly state: { status: string; fetchStatus: string; data?: unknown; error?: unknown };
}

/** The cache of TanStack Query: key, status and data of every query. */
export function tanstackQueryState(client: {
  getQueryCache(): { getAll(): readonly Query[]; subscribe(listener: () => void): () => void };
}): StateSource<{ key: unknown; status: string; fetchStatus: string; data: unknown; error: unknown }[]> {
  return (report) => {
    const cache = client.getQueryCache();
    const read = (): void =>
      report(
        cache.getAll().map(({ queryKey, state: { status, fetchStatus, data, error } }) => ({
          key: queryKey,
          status,
          fetchStatus,
          data: data ?? null,
          error: error ?? null,
        })),
      );
    read();
    return cache.subscribe(read);
  };
}

/** Where a router on the history API is: path, query and hash, whenever they change. */
export function historyState(
  window: Window = globalThis.window,
): StateSource<{ path: string; query: string; hash: string }> {
  return (report) => {
    let last = "";
    const read = (): void => {
      const { pathname: path, search: query, hash, href } = window.location;
      if (href === last) return;
      last = href;
      report({ path, query, hash });
    };
    read();
    const navigation = (window as Window & { navigation?: EventTarget }).navigation;
    const types = ["popstate", "hashchange"];
    for (const type of types) window.addEventListener(type, read);
    navigation?.addEventListener("currententrychange", read);
    return () => {
      for (const type of types) window.removeEventListener(type, read);
      navigation?.removeEventListener("currententrychange", read);
    };
  };
}

/** Sends a source's state under a scope for as long as it runs; at most once per turn. */
export function connectState<State>(
  bridge: { sendCustomState(scope: string, state: unknown): void },
  scope: string,
  source: StateSource<State>,
): () => void {
  let waiting = false;
  let newest: State;
  return source((state) => {
    newest = state;
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      bridge.sendCustomState(scope, newest);
    });
  });
}
