/** What an agent is about to do, or what just happened. Breakpoints are checked against it. */
export type BreakpointContext =
  | { readonly at: "model"; readonly iteration: number }
  | {
      readonly at: "tool";
      readonly iteration: number;
      readonly name: string;
      readonly toolId: string;
      readonly input: unknown;
    }
  | {
      readonly at: "error";
      readonly iteration: number;
      readonly message: string;
      readonly context?: string;
      readonly name?: string;
      readonly toolId?: string;
    }
  | {
      readonly at: "event";
      readonly iteration: number;
      readonly event: string;
      readonly session: string;
      readonly data: unknown;
    };
