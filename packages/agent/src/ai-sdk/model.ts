import { type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import type { AgentDebugger } from "../types.js";

/** A language model of the AI SDK. */
export type AiSdkModel = Parameters<typeof wrapLanguageModel>[0]["model"];
export type AiSdkAnswer = Awaited<ReturnType<AiSdkModel["doGenerate"]>>;
type Streamed = Awaited<ReturnType<AiSdkModel["doStream"]>>;
export type AiSdkPart = Streamed["stream"] extends ReadableStream<infer P> ? P : never;
type Content = AiSdkAnswer["content"][number];

/** Wraps a model so that its answers are recorded. */
export function recordedModel(model: AiSdkModel, debug: AgentDebugger): AiSdkModel {
  const middleware: LanguageModelMiddleware = {
    specificationVersion: "v3",
    wrapGenerate: ({ doGenerate }) =>
      reportingErrors(debug, async () => {
        const answer = await doGenerate();
        await debug.afterModelCall(summary(answer));
        return answer;
      }),
    wrapStream: ({ doStream }) =>
      reportingErrors(debug, async () => {
        const { stream, ...rest } = await doStream();
        return { ...rest, stream: stream.pipeThrough(recorder(debug)) };
      }),
  };
  return wrapLanguageModel({ model, middleware });
}

async function reportingErrors<Result>(debug: AgentDebugger, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (thrown) {
    await debug.error(thrown, "model");
    throw thrown;
  }
}

function summary({ content, finishReason, usage }: Pick<AiSdkAnswer, "content" | "finishReason" | "usage">) {
  return { stopReason: finishReason.unified, content, usage };
}

/**
 * Forwards a stream and records the complete answer at its end. Tool calls are forwarded only then, so that no tool
 * starts before the answer that called it is recorded.
 */
function recorder(debug: AgentDebugger): TransformStream<AiSdkPart, AiSdkPart> {
  const content: Content[] = [];
  const open = new Map<string, { type: "text" | "reasoning"; text: string }>();
  const held: AiSdkPart[] = [];
  return new TransformStream({
    async transform(part, controller) {
      switch (part.type) {
        case "text-start":
        case "reasoning-start": {
          const block = {
            type: part.type === "text-start" ? ("text" as const) : ("reasoning" as const),
            text: "",
          };
          open.set(part.id, block);
          content.push(block);
          break;
        }
        case "text-delta":
        case "reasoning-delta": {
          const block = open.get(part.id);
          if (block) block.text += part.delta;
          break;
        }
        case "tool-call":
          content.push(part);
          held.push(part);
          return;
        case "tool-result":
        case "file":
        case "source":
          content.push(part);
          break;
        case "error":
          await debug.error(part.error, "model");
          break;
        case "finish":
          await debug.afterModelCall(summary({ content, ...part }));
          for (const one of held.splice(0)) controller.enqueue(one);
          break;
      }
      controller.enqueue(part);
    },
    flush(controller) {
      for (const one of held) controller.enqueue(one);
    },
  });
}
