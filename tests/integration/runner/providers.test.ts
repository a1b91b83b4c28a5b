import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { cleanHistory, type Message, messagesFor } from "@debug-bridge/runner";
import { type Content, GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);

/** What Anthropic's API takes as messages, as its reference says. */
const anthropicText = z.strictObject({ type: z.literal("text"), text: z.string().min(1) });
const anthropicImage = z.strictObject({
  type: z.literal("image"),
  source: z.strictObject({
    type: z.literal("base64"),
    media_type: z.enum(["image/jpeg", "image/png"]),
    data: base64,
  }),
});
const anthropicRequest = z.object({
  model: z.string(),
  max_tokens: z.int(),
  messages: z.array(
    z.strictObject({
      role: z.enum(["user", "assistant"]),
      content: z.union([
        z.string().min(1),
        z
          .array(
            z.union([
              anthropicText,
              anthropicImage,
              z.strictObject({
                type: z.literal("tool_use"),
                id: z.string(),
                name: z.string(),
                input: z.record(z.string(), z.unknown()),
              }),
              z.strictObject({
                type: z.literal("tool_result"),
                tool_use_id: z.string(),
                is_error: z.boolean().optional(),
                content: z.union([z.string(), z.array(z.union([anthropicText, anthropicImage]))]),
              }),
            ]),
          )
          .min(1),
      ]),
    }),
  ),
});

/** The same for OpenAI's chat completions, which DeepSeek speaks, too. */
const openAiRequest = z.object({
  model: z.string(),
  messages: z.array(
    z.union([
      z.strictObject({
        role: z.literal("user"),
        content: z.union([
          z.string(),
          z
            .array(
              z.union([
                z.strictObject({ type: z.literal("text"), text: z.string() }),
                z.strictObject({
                  type: z.literal("image_url"),
                  image_url: z.strictObject({ url: z.string().startsWith("data:image/jpeg;base64,") }),
                }),
              ]),
            )
            .min(1),
        ]),
      }),
      z.strictObject({
        role: z.literal("assistant"),
        content: z.string().nullable(),
        tool_calls: z
          .array(
            z.strictObject({
              id: z.string(),
              type: z.literal("function"),
              function: z.strictObject({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
      z.strictObject({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string() }),
    ]),
  ),
});

const geminiRequest = z.object({
  contents: z.array(
    z.strictObject({
      role: z.enum(["user", "model"]),
      parts: z
        .array(
          z.union([
            z.strictObject({ text: z.string() }),
            z.strictObject({
              inlineData: z.strictObject({ mimeType: z.literal("image/jpeg"), data: base64 }),
            }),
            z.strictObject({
              functionCall: z.strictObject({
                id: z.string(),
                name: z.string(),
                args: z.record(z.string(), z.unknown()),
              }),
            }),
            z.strictObject({
              functionResponse: z.strictObject({
                id: z.string(),
                name: z.string(),
                response: z.record(z.string(), z.unknown()),
              }),
            }),
          ]),
        )
        .min(1),
    }),
  ),
});

/** A server that answers 400 to what an API would refuse, and keeps what it was sent. */
async function api(schema: z.ZodType, reply: unknown): Promise<{ url: string; bodies: unknown[] }> {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body: unknown = JSON.parse(await text(request));
    const verdict = schema.safeParse(body);
    bodies.push(body);
    response.writeHead(verdict.success ? 200 : 400, { "content-type": "application/json" });
    response.end(JSON.stringify(verdict.success ? reply : { error: { message: verdict.error.message } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

async function text(request: IncomingMessage): Promise<string> {
  let all = "";
  for await (const part of request) all += part;
  return all;
}

const image = {
  type: "image",
  source: { type: "base64", media_type: "image/jpeg", data: "/9j/AAAA" },
} as const;
const conversation: Message[] = [
  { role: "user", content: "Why is the page blank?" },
  {
    role: "assistant",
    content: [
      {
        type: "tool_use",
        id: "t1",
        name: "browser_action",
        input: { instruction: "<type>screenshot</type>" },
      },
    ],
  },
  {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "{}" }, image] }],
  },
  {
    role: "assistant",
    content: [
      { type: "text", text: "Once more." },
      { type: "tool_use", id: "t2", name: "browser_action", input: {} },
    ],
  },
  {
    role: "user",
    content: [
      {
        type: "tool_result",
        tool_use_id: "t2",
        is_error: true,
        content: [{ type: "text", text: "failed" }, image],
      },
      image,
      { type: "text", text: "And this is mine." },
    ],
  },
];
const forms = [
  ["whole", conversation],
  ["cleaned", cleanHistory(conversation)],
] as const;

const images = (body: unknown): number => JSON.stringify(body).split("/9j/AAAA").length - 1;

describe.each(forms)("a %s conversation with pictures", (name, messages) => {
  const all = name === "whole" ? 3 : 2;

  it.each([
    ["claude-sonnet-4-5", all],
    ["claude-3-5-haiku-latest", 0],
  ])("is accepted by Anthropic's SDK and API for %s [RUN-097, RUN-098]", async (model, wanted) => {
    const reply = {
      id: "m",
      type: "message",
      role: "assistant",
      content: [],
      model,
      stop_reason: "end_turn",
      usage: {},
    };
    const { url, bodies } = await api(anthropicRequest, reply);
    const client = new Anthropic({ apiKey: "none", baseURL: url, maxRetries: 0 });
    const made: Anthropic.MessageParam[] = messagesFor({ provider: "anthropic", model }, messages);
    await client.messages.create({ model, max_tokens: 10, messages: made });
    expect(images(bodies[0])).toBe(wanted);
  });

  it.each([
    ["openai", "gpt-4o", all],
    ["openai", "o3-mini", 0],
    ["deepseek", "deepseek-chat", 0],
  ] as const)(
    "is taken by OpenAI's SDK and API for %s %s [RUN-093, RUN-096]",
    async (provider, model, wanted) => {
      const reply = { id: "c", object: "chat.completion", created: 1, model, choices: [] };
      const { url, bodies } = await api(openAiRequest, reply);
      const client = new OpenAI({ apiKey: "none", baseURL: url, maxRetries: 0 });
      const made: OpenAI.ChatCompletionMessageParam[] = messagesFor({ provider, model }, messages);
      await client.chat.completions.create({ model, messages: made });
      expect(images(bodies[0])).toBe(wanted);
    },
  );

  it("is accepted by Google's SDK and API [RUN-095]", async () => {
    const { url, bodies } = await api(geminiRequest, { candidates: [] });
    const client = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } });
    const contents: Content[] = messagesFor({ provider: "gemini", model: "gemini-2.5-pro" }, messages);
    await client.models.generateContent({ model: "gemini-2.5-pro", contents });
    expect(images(bodies[0])).toBe(all);
  });
});
