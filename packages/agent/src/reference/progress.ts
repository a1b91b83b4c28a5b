import { type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import type { AiSdkModel } from "../ai-sdk/model.js";
import type { RunOptions, ToolTurn } from "./agent.js";

type OnTurn = NonNullable<RunOptions["onTurn"]>;
type Call = Omit<ToolTurn, "ended">;

/** Reports what a run with a model does, while it does it: a text before the tool calls of the same answer. */
export class Progress {
  /** Calls whose end is still to be reported. */
  private readonly open = new Map<string, Call>();
  private readonly ended = new Set<string>();

  constructor(private readonly onTurn: OnTurn = () => {}) {}

  /** The model, whose texts are reported as soon as it has answered. */
  withTexts(model: AiSdkModel): AiSdkModel {
    const middleware: LanguageModelMiddleware = {
      specificationVersion: "v3",
      wrapGenerate: async ({ doGenerate }) => {
        const answer = await doGenerate();
        for (const part of answer.content) if (part.type === "text") this.text(part.text);
        return answer;
      },
    };
    return wrapLanguageModel({ model, middleware });
  }

  text(text: string): void {
    this.onTurn({ text });
  }

  /** Runs a tool between the reports of its beginning and its end. */
  async during(call: Call, run: () => Promise<string>): Promise<string> {
    this.open.set(call.id, call);
    this.onTurn(call);
    try {
      const result = await run();
      this.end(call, result, false);
      return result;
    } catch (thrown) {
      this.end(call, thrown, true);
      throw thrown;
    }
  }

  /** The end of a call, which may be one that never began: a debugger can refuse it, and end one that runs. */
  end({ id, tool, input }: Call, result: unknown, isError: boolean): void {
    if (this.ended.has(id)) return;
    this.ended.add(id);
    const call = this.open.get(id) ?? { id, tool, input };
    this.open.delete(id);
    this.onTurn({ ...call, ended: { result: textOf(result), isError } });
  }
}

function textOf(result: unknown): string {
  if (typeof result === "string") return result;
  return result instanceof Error ? result.message : (JSON.stringify(result) ?? "");
}
