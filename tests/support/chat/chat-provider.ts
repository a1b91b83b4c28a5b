import type {
  ChatProvider,
  ProviderEvent,
  ProviderOutcome,
  ProviderRequest,
  ProviderRun,
} from "@debug-bridge/protocol";

/** A turn that a test controls. */
export interface ControlledTurn {
  readonly request: ProviderRequest;
  emit(event: ProviderEvent): void;
  end(outcome?: ProviderOutcome): void;
}

/** A provider inside the process of the test: what it reports is up to the test. */
export function controlledProvider(name = "test"): ChatProvider & { readonly turns: ControlledTurn[] } {
  const turns: ControlledTurn[] = [];
  return {
    name,
    title: "Test agent",
    turns,
    problem: () => undefined,
    start(request, onEvent): ProviderRun {
      let end: ControlledTurn["end"] = () => {};
      const done = new Promise<ProviderOutcome>((resolve) => {
        end = (outcome = { outcome: "done" }) => resolve(outcome);
      });
      turns.push({ request, emit: onEvent, end });
      return { pid: undefined, done, stop: async () => end() };
    },
  };
}
