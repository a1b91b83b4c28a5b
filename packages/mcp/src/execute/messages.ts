/** To the worker. */
export type ToWorker =
  | { readonly type: "connect"; readonly cdpUrl: string }
  | { readonly type: "attach"; readonly endpoint: string }
  | { readonly type: "run"; readonly id: number; readonly code: string };

/** How a piece of code ended. */
export interface Executed {
  /** The value as text. */
  readonly value: string;
  /** What it printed. */
  readonly lines: readonly string[];
  readonly error?: string;
}

/** From the worker. */
export type FromWorker =
  | { readonly type: "connected" }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "line"; readonly id: number; readonly line: string }
  | ({ readonly type: "done"; readonly id: number } & Omit<Executed, "lines">);
