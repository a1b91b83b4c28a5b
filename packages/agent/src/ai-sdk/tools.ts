import { BridgeError } from "@debug-bridge/protocol";
import { asSchema, type Tool, type ToolExecutionOptions, type ToolSet } from "ai";
import type { ReplayedOutcome, Replayer } from "../replay/replayer.js";
import type { AgentDebugger } from "../types.js";

type Execute = NonNullable<Tool["execute"]>;

/** Wraps tools so that each local call is recorded and can be held, changed and cancelled. */
export function debuggedTools<Tools extends ToolSet>(
  tools: Tools,
  debug: AgentDebugger,
  replayer?: Replayer,
): Tools {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [
      name,
      tool.execute ? { ...tool, execute: debuggedExecute(name, tool, debug, replayer) } : tool,
    ]),
  ) as Tools;
}

function debuggedExecute(name: string, tool: Tool, debug: AgentDebugger, replayer?: Replayer): Execute {
  const begin = async (asked: unknown, options: ToolExecutionOptions): Promise<Begun> => {
    const toolId = options.toolCallId;
    const given = replayer ? replayer.inputFor(toolId, asked) : asked;
    const decision = await debug.beforeToolCall({ toolId, name, input: given });
    if (!decision.run) throw new BridgeError("cancelled", decision.reason);
    const { input, signal } = decision;
    const abortSignal = options.abortSignal ? AbortSignal.any([options.abortSignal, signal]) : signal;
    const execute = (tool.execute as Execute).bind(tool);
    return {
      signal,
      run: async () => {
        if (replayer) return recorded(replayer.outcome(toolId, name, input));
        if (input !== given) await assertMatchesSchema(input, tool, name);
        return execute(input as never, { ...options, abortSignal });
      },
      end: (result, isError) => debug.afterToolCall({ toolId, name, result, isError }),
    };
  };
  return isGenerator(tool.execute) && !replayer
    ? async function* (input: unknown, options: ToolExecutionOptions) {
        yield* streamed(await begin(input, options));
      }
    : async (input: unknown, options: ToolExecutionOptions) => finished(await begin(input, options));
}

function recorded({ result, isError }: ReplayedOutcome): unknown {
  if (isError) throw new BridgeError("tool_failed", String(result));
  return result;
}

interface Begun {
  readonly signal: AbortSignal;
  run(): Promise<unknown>;
  end(result: unknown, isError: boolean): Promise<void>;
}

/** Runs a tool to its end. A cancelled call ends immediately, even if the tool ignores the signal. */
async function finished({ signal, run, end }: Begun): Promise<unknown> {
  try {
    let result = await unlessAborted(run(), signal);
    if (isIterable(result)) {
      let last: unknown;
      for await (const part of result) {
        signal.throwIfAborted();
        last = part;
      }
      result = last;
    }
    await end(result, false);
    return result;
  } catch (thrown) {
    await end(messageOf(thrown), true);
    throw thrown;
  }
}

/** Forwards what a tool yields while it runs. The last value is its result. */
async function* streamed({ signal, run, end }: Begun): AsyncGenerator<unknown> {
  let last: unknown;
  try {
    for await (const part of (await run()) as AsyncIterable<unknown>) {
      signal.throwIfAborted();
      last = part;
      yield part;
    }
  } catch (thrown) {
    await end(messageOf(thrown), true);
    throw thrown;
  }
  await end(last, false);
}

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** An input that a debugger changed has to match the schema of the tool. */
async function assertMatchesSchema(input: unknown, tool: Tool, name: string): Promise<void> {
  const checked = await asSchema(tool.inputSchema).validate?.(input);
  if (checked?.success === false)
    throw new BridgeError(
      "invalid_message",
      `the input that the debugger set does not match the schema of ${name}: ${checked.error.message}`,
    );
}

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

function isGenerator(execute: unknown): boolean {
  return Object.prototype.toString.call(execute) === "[object AsyncGeneratorFunction]";
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
