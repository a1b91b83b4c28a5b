/** What an agent is about to do, or what just happened. Breakpoints are checked against it. */
export type BreakpointContext =
  | { readonly at: "model"; readonly iteration: number }
  | {
      readonly at: "tool";
      readonly iteration: number;
      readonly name: string;
      readonly toolId: string;
      readonly input: unknown;
      /** Name of the subagent that makes the call. */
      readonly subagent?: string;
      readonly subagentId?: string;
    }
  | {
      readonly at: "error";
      readonly iteration: number;
      readonly message: string;
      readonly context?: string;
      readonly name?: string;
      readonly toolId?: string;
      readonly subagent?: string;
      readonly subagentId?: string;
    }
  | {
      readonly at: "event";
      readonly iteration: number;
      readonly event: string;
      readonly session: string;
      readonly data: unknown;
    };
