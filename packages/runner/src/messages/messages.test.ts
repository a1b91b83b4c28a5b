import type { BrowserResponse, ImageContent } from "@debug-bridge/protocol";
import { browserResponseSchema, imageContentSchema } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import type { Message } from "./content.js";
import { messagesFor, takesImages } from "./for-provider.js";
import { cleanHistory, IMAGE_PLACEHOLDER } from "./history.js";
import { toolResultContent } from "./tool-result.js";

const image: ImageContent = {
  type: "image",
  source: { type: "base64", media_type: "image/jpeg", data: "/9j/AAAA" },
};
const response: BrowserResponse = {
  success: true,
  logs: [
    { type: "info", message: "mine", timestamp: 1, source: "tool" },
    { type: "error", message: "the page's", timestamp: 2, source: "browser" },
  ],
  metrics: { sessionDuration: 1, jsErrors: 0, networkErrors: 0 },
  networkEvents: [],
};
const call: Message = {
  role: "assistant",
  content: [
    { type: "text", text: "Looking." },
    { type: "tool_use", id: "t1", name: "browser_action", input: { instruction: "<type>screenshot</type>" } },
  ],
};
const answer: Message = {
  role: "user",
  content: [
    { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "{}" }, image] },
    { type: "text", text: "What now?" },
  ],
};
const shown: Message = { role: "user", content: [{ type: "text", text: "See" }, image] };

describe("a screenshot in a response", () => {
  it("is an image block, and nothing else is accepted [RUN-087, RUN-088]", () => {
    expect(imageContentSchema.safeParse(image).success).toBe(true);
    for (const wrong of [
      "data:image/jpeg;base64,AAAA",
      { ...image, type: "image_url" },
      { ...image, source: { ...image.source, media_type: "image/png" } },
      { ...image, source: { ...image.source, type: "url" } },
      { ...image, source: { type: "base64", media_type: "image/jpeg" } },
      { ...image, source: { ...image.source, data: "not base64!" } },
    ])
      expect(browserResponseSchema.safeParse({ ...response, screenshots: { post: wrong } }).success).toBe(
        false,
      );
    expect(browserResponseSchema.safeParse({ ...response, screenshots: { post: image } }).success).toBe(true);
  });
});

describe("a tool's result", () => {
  it("with pictures is its text without them, then the pictures [RUN-089]", () => {
    const other = { ...image, source: { ...image.source, data: "BBBB" } };
    const content = toolResultContent({ ...response, screenshots: { pre: image, post: other } });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(response) }, image, other]);
    expect(toolResultContent({ ...response, screenshots: { post: image } })).toHaveLength(2);
  });

  it("that is a string stays unchanged, and any other is JSON [RUN-090]", () => {
    expect(toolResultContent("done")).toBe("done");
    expect(toolResultContent(response)).toBe(JSON.stringify(response));
    expect(toolResultContent({ a: 1 })).toBe('{"a":1}');
    expect(toolResultContent(null)).toBe("null");
    expect(toolResultContent(undefined)).toBe("null");
  });
});

describe("a history", () => {
  const kept = (message: Message, newest: Message = { role: "user", content: "go on" }): Message =>
    cleanHistory([message, newest])[0] as Message;

  it("has placeholders for pictures, except in the newest message [RUN-091, RUN-092]", () => {
    const [first, last] = cleanHistory([answer, shown]);
    expect(JSON.stringify(first)).not.toContain("/9j/");
    expect(JSON.stringify(first)).toContain(IMAGE_PLACEHOLDER);
    expect(last).toEqual(shown);
  });

  it("keeps the runner's own logs and no metrics, in strings and arrays alike [RUN-105, RUN-110, RUN-111]", () => {
    const text = JSON.stringify({ ...response, screenshots: { post: image } });
    const forms: Message[] = [
      { role: "user", content: text },
      { role: "user", content: [{ type: "text", text }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: text }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text }] }],
      },
    ];
    const texts = forms.map((form) => {
      const { content } = kept(form);
      const block = typeof content === "string" ? content : content[0];
      if (typeof block === "string") return block;
      if (block?.type === "text") return block.text;
      const inner = (block as { content: string | { text: string }[] }).content;
      return typeof inner === "string" ? inner : inner[0]?.text;
    });
    expect(new Set(texts).size).toBe(1);
    const cleaned = JSON.parse(texts[0] as string);
    expect(cleaned.logs).toEqual([response.logs[0]]);
    expect(cleaned.metrics).toBeNull();
    expect(texts[0]).not.toContain("/9j/");
  });

  it("leaves every other text as it is", () => {
    for (const content of [
      "hello",
      "{",
      '{"logs":[]}',
      JSON.stringify({ success: true }),
      call.content,
    ] as const)
      expect(kept({ role: "assistant", content })).toEqual({ role: "assistant", content });
  });
});

describe("messages for a provider", () => {
  it("of Anthropic's Sonnet stay as they are [RUN-097, RUN-099]", () => {
    const before = JSON.stringify([call, answer]);
    expect(messagesFor({ provider: "anthropic", model: "claude-sonnet-4-5" }, [call, answer])).toEqual([
      call,
      answer,
    ]);
    expect(JSON.stringify([call, answer])).toBe(before);
  });

  it("of Anthropic's Haiku have no pictures, and that is logged [RUN-098, RUN-104]", () => {
    const logged: string[] = [];
    const model = {
      provider: "anthropic",
      model: "claude-3-5-haiku",
      onStripped: (line: string) => logged.push(line),
    } as const;
    const [result] = messagesFor(model, [answer]);
    expect(result?.content).toEqual([
      { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "{}" }] },
      { type: "text", text: "What now?" },
    ]);
    expect(logged).toEqual(["Stripping 1 image from a message: claude-3-5-haiku does not support images"]);
    expect(messagesFor(model, [{ role: "user", content: [image] }])[0]?.content).toHaveLength(1);
    expect(messagesFor({ ...model, images: true }, [shown])[0]?.content).toEqual(shown.content);
  });

  it("of OpenAI's vision models have image_url parts [RUN-093]", () => {
    expect(messagesFor({ provider: "openai", model: "gpt-4o" }, [call, answer])).toEqual([
      {
        role: "assistant",
        content: "Looking.",
        tool_calls: [
          {
            id: "t1",
            type: "function",
            function: { name: "browser_action", arguments: '{"instruction":"<type>screenshot</type>"}' },
          },
        ],
      },
      { role: "tool", tool_call_id: "t1", content: "{}" },
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: "data:image/jpeg;base64,/9j/AAAA" } },
          { type: "text", text: "What now?" },
        ],
      },
    ]);
  });

  it("of OpenAI's models without vision pass as they are, but for pictures [RUN-094]", () => {
    const logged: string[] = [];
    const model = {
      provider: "openai",
      model: "o3-mini",
      onStripped: (line: string) => logged.push(line),
    } as const;
    const text = { role: "user", content: "hello" } as const;
    expect(messagesFor(model, [text])).toEqual([text]);
    expect(logged).toEqual([]);
    expect(messagesFor(model, [shown])).toEqual([{ role: "user", content: [{ type: "text", text: "See" }] }]);
    expect(logged).toHaveLength(1);
  });

  it("of Gemini have inlineData, and tool results with their tool's name [RUN-095]", () => {
    expect(messagesFor({ provider: "gemini", model: "gemini-2.5-pro" }, [call, answer])).toEqual([
      {
        role: "model",
        parts: [
          { text: "Looking." },
          {
            functionCall: {
              id: "t1",
              name: "browser_action",
              args: { instruction: "<type>screenshot</type>" },
            },
          },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "t1", name: "browser_action", response: { output: "{}" } } },
          { inlineData: { mimeType: "image/jpeg", data: "/9j/AAAA" } },
          { text: "What now?" },
        ],
      },
    ]);
  });

  it("of DeepSeek are the same messages [RUN-096]", () => {
    const text: Message = { role: "user", content: "hello" };
    expect(messagesFor({ provider: "deepseek", model: "deepseek-chat" }, [text])[0]).toBe(text);
    const logged: string[] = [];
    const sent = messagesFor(
      { provider: "deepseek", model: "deepseek-chat", onStripped: (line) => logged.push(line) },
      [shown],
    );
    expect(JSON.stringify(sent)).not.toContain("/9j/");
    expect(logged[0]).toContain("deepseek-chat does not support images");
  });

  it("hold no empty and no null block [RUN-103]", () => {
    const odd = {
      role: "user",
      content: [null, { type: "text", text: "" }, { type: "text", text: "a" }],
    } as unknown as Message;
    for (const provider of ["anthropic", "openai", "gemini", "deepseek"] as const) {
      const text = JSON.stringify(messagesFor({ provider, model: "x" }, [odd]));
      expect(text).not.toContain("null");
      expect(text).toContain('"a"');
    }
  });

  it("keep or lose their pictures depending on the model's name", () => {
    expect(takesImages("openai", "gpt-4o-mini")).toBe(true);
    expect(takesImages("openai", "gpt-3.5-turbo")).toBe(false);
    expect(takesImages("deepseek", "deepseek-reasoner")).toBe(false);
    expect(takesImages("gemini", "gemini-2.5-flash")).toBe(true);
  });
});
