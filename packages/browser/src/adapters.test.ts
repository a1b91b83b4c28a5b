import { expect, test } from "vitest";
import { connectState, reduxState, tanstackQueryState, zustandState } from "./adapters.js";

/** A store with the interface that Redux and Zustand share. */
function createStore<State>(state: State) {
  const listeners = new Set<(state: State) => void>();
  return {
    getState: () => state,
    subscribe(listener: (state: State) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(next: State) {
      state = next;
      for (const listener of listeners) listener(state);
    },
    listeners,
  };
}

test("a Redux store reports its state now and after each change, once per turn", async () => {
  const store = createStore({ n: 1 });
  const sent: unknown[] = [];
  const stop = connectState(
    { sendCustomState: (scope, state) => sent.push([scope, state]) },
    "redux",
    reduxState(store),
  );
  await null;
  store.set({ n: 2 });
  store.set({ n: 3 });
  await null;
  expect(sent).toEqual([
    ["redux", { n: 1 }],
    ["redux", { n: 3 }],
  ]);
  stop();
  expect(store.listeners.size).toBe(0);
});

test("a Zustand store's actions are left out", () => {
  const store = createStore({ n: 1, add: () => {} });
  const seen: unknown[] = [];
  zustandState(store)((state) => seen.push(state));
  expect(seen).toEqual([{ n: 1 }]);
});

test("queries of TanStack Query are reported by key, status and data", () => {
  const seen: unknown[] = [];
  const cache = {
    getAll: () => [
      { queryKey: ["user", 1], state: { status: "success", fetchStatus: "idle", data: { name: "Ada" } } },
    ],
    subscribe: () => () => {},
  };
  tanstackQueryState({ getQueryCache: () => cache })((state) => seen.push(state));
  expect(seen).toEqual([
    [{ key: ["user", 1], status: "success", fetchStatus: "idle", data: { name: "Ada" }, error: null }],
  ]);
});
