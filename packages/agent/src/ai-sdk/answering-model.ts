import type { ModelResult } from "../types.js";
import type { AiSdkAnswer, AiSdkModel, AiSdkPart } from "./model.js";

const NO_TOKENS: AiSdkAnswer["usage"] = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** A model with one fixed answer: the recorded one. */
export function answeringModel(
  { provider, model }: { readonly provider: string; readonly model: string },
  result: ModelResult,
): AiSdkModel {
  const answer = answerOf(result);
  return {
    specificationVersion: "v3",
    provider,
    modelId: model,
    supportedUrls: {},
    doGenerate: async () => answer,
    doStream: async () => ({ stream: ReadableStream.from(partsOf(answer)) }),
  };
}

function answerOf({ content, stopReason, usage }: ModelResult): AiSdkAnswer {
  const unified = (stopReason ?? "stop") as AiSdkAnswer["finishReason"]["unified"];
  return {
    content: Array.isArray(content) ? content : [{ type: "text", text: String(content ?? "") }],
    finishReason: { unified, raw: stopReason },
    usage: (usage as AiSdkAnswer["usage"] | undefined) ?? NO_TOKENS,
    warnings: [],
  };
}

function* partsOf({ content, finishReason, usage }: AiSdkAnswer): Generator<AiSdkPart> {
  yield { type: "stream-start", warnings: [] };
  for (const [i, part] of content.entries()) {
    const id = String(i);
    if (part.type === "text" || part.type === "reasoning") {
      yield { type: `${part.type}-start`, id };
      yield { type: `${part.type}-delta`, id, delta: part.text };
      yield { type: `${part.type}-end`, id };
    } else yield part;
  }
  yield { type: "finish", finishReason, usage };
}
