import {
  BridgeError,
  type ChatProvider,
  type ProviderEvent,
  type ProviderOutcome,
  type ProviderRequest,
  type ProviderRun,
  type ProviderStep,
} from "@debug-bridge/protocol";
import { chooseModel } from "../reference/providers.js";
import { type ChatEnvironment, environmentOf } from "./environment.js";
import { firstError } from "./error-text.js";
import { asString, type Json, parseObject } from "./json.js";
import { type Exit, startProcess } from "./provider-process.js";

/** The model of the reference agent in chats, and the address of its API. */
const MODEL = "DEBUG_BRIDGE_MODEL";
const MODEL_URL = "DEBUG_BRIDGE_MODEL_URL";

/**
 * The built-in reference agent. It keeps no thread: every run gets the newest part of the conversation with its message,
 * and is a separate agent session.
 */
export function referenceProvider(environment: ChatEnvironment, env = process.env): ChatProvider {
  return {
    name: "reference",
    title: "the reference agent",
    problem() {
      const naming = `name a model with ${MODEL}=provider/name (and ${MODEL_URL}=URL) in the environment of the hub`;
      try {
        chooseModel(choiceOf(env), env, `or ${naming}`);
        return undefined;
      } catch (thrown) {
        const { code, message } = BridgeError.from(thrown);
        return code === "auth_required" ? message : `${message}; ${naming}`;
      }
    },
    start: (request, onEvent) => startReference(environment, env, request, onEvent),
  };
}

function choiceOf(env: NodeJS.ProcessEnv): { model?: string; baseUrl?: string } {
  const [model, baseUrl] = [env[MODEL], env[MODEL_URL]];
  return { ...(model ? { model } : {}), ...(baseUrl ? { baseUrl } : {}) };
}

function startReference(
  environment: ChatEnvironment,
  env: NodeJS.ProcessEnv,
  request: ProviderRequest,
  onEvent: (event: ProviderEvent) => void,
): ProviderRun {
  const [command, ...rest] = environment.program;
  const { hubUrl, session, cwd, message, runId, images = [] } = request;
  const { model, baseUrl } = choiceOf(env);
  const events = new ReferenceEvents(onEvent);
  const running = startProcess({
    command,
    args: [
      ...rest,
      ...["agent", "run", "--json", "--home", environment.home, "--hub", hubUrl, "--chat-run", runId],
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(baseUrl === undefined ? [] : [`--base-url=${baseUrl}`]),
      ...(session === undefined ? [] : [`--page=${session}`]),
      ...images.flatMap(({ file }) => ["--image", file]),
      "-",
    ],
    cwd,
    env: environmentOf(environment, request),
    input: message,
    onLine: (line) => events.read(parseObject(line) ?? {}),
  });
  return { pid: running.pid, done: running.exited.then((exit) => events.outcome(exit)), stop: running.stop };
}

/** Reads the lines of `debug-bridge agent run --json`. */
class ReferenceEvents {
  private hasText = false;
  private isDone = false;

  constructor(private readonly emit: (event: ProviderEvent) => void) {}

  read(event: Json): void {
    const text = asString(event.text) ?? "";
    if (event.event === "session") {
      const id = asString(event.id) ?? "";
      const title = `debugged as session ${id}`;
      this.emit({ type: "step", id: "agent", kind: "agent", title, status: "done", detail: id });
    } else if (event.event === "text" && text !== "") {
      this.emit({ type: "delta", text: this.hasText ? `\n\n${text}` : text });
      this.hasText = true;
    } else if (event.event === "tool_start") this.emitStep(event, "running");
    else if (event.event === "tool") this.emitStep(event, event.isError === true ? "failed" : "done");
    else if (event.event === "done") this.isDone = true;
  }

  /** A call and its result, as the other providers show them: the input, and below it what came back. */
  private emitStep(event: Json, status: ProviderStep["status"]): void {
    const title = asString(event.tool) ?? "tool";
    const detail = [JSON.stringify(event.input ?? {}), asString(event.result)].filter(Boolean).join("\n");
    const id = asString(event.id) ?? "tool";
    this.emit({ type: "step", id, kind: "tool", title, status, detail });
  }

  outcome({ code, error, stderr }: Exit): ProviderOutcome {
    if (code === 0 && this.isDone) return { outcome: "done" };
    const message = error?.message ?? firstError(stderr) ?? `the reference agent ended with code ${code}`;
    return { outcome: "failed", code: "tool_failed", message };
  }
}
