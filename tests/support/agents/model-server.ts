import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What the model says next: some text, or a call of a tool. */
export type ModelTurn =
  | { readonly text: string }
  | { readonly tool: string; readonly input: object; readonly namespace?: string };

export interface ModelServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every provider.
  readonly requests: { path: string; headers: Record<string, unknown>; body: any }[];
}

/** An answer in the words of one provider: whole, and as the events of a stream. */
interface Dialect {
  readonly matches: RegExp;
  whole(turn: ModelTurn, id: string): object;
  /** Each with the name of its event, where the provider names them. */
  events(turn: ModelTurn, id: string): readonly (readonly [string | undefined, object | string])[];
  isStream(body: Record<string, unknown>, path: string): boolean;
}

/**
 * A stand-in for the APIs of the providers: it speaks what each of them speaks, and its model says the turns of a
 * script, one for each request. A request that asks for no tools (a title, a summary) takes no turn.
 */
export async function startModelServer(
  /** One for each request, or a function that answers a request with this text. */
  turns: readonly ModelTurn[] | ((request: string) => ModelTurn),
  /** Awaited before each answer. */
  before: (request: number) => Promise<void> = async () => {},
): Promise<ModelServer> {
  const requests: ModelServer["requests"] = [];
  let at = 0;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (data) => {
      text += data;
    });
    request.on("end", () => {
      const path = request.url ?? "";
      const dialect = Object.values(DIALECTS).find(({ matches }) => matches.test(path));
      if (!dialect || request.method !== "POST") {
        response.writeHead(404, { "content-type": "application/json" });
        response.end('{"error":{"message":"nothing is here"}}');
        return;
      }
      const body = JSON.parse(text) as Record<string, unknown>;
      requests.push({ path, headers: request.headers, body });
      const turn = typeof turns === "function" ? turns(text) : turns[at];
      at++;
      if (!turn) {
        response.writeHead(400, { "content-type": "application/json" });
        response.end('{"error":{"message":"the script is at its end"}}');
        return;
      }
      const id = `call_${at}`;
      void before(at).then(() => {
        if (dialect.isStream(body, path)) stream(response, dialect.events(turn, id));
        else {
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify(dialect.whole(turn, id)));
        }
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function stream(response: ServerResponse, events: ReturnType<Dialect["events"]>): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const [name, data] of events) {
    if (name !== undefined) response.write(`event: ${name}\n`);
    response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

const byFlag = (body: Record<string, unknown>): boolean => body.stream === true;

const DIALECTS: Readonly<Record<string, Dialect>> = {
  chatCompletions: {
    matches: /\/chat\/completions$/,
    isStream: byFlag,
    whole: (turn, id) => ({
      id: "c1",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [
        { index: 0, finish_reason: finish(turn), message: { role: "assistant", ...chatMessage(turn, id) } },
      ],
      usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
    }),
    events: (turn, id) => {
      const chunk = (delta: object, finish_reason: string | null): [undefined, object] => [
        undefined,
        {
          id: "c1",
          object: "chat.completion.chunk",
          created: 1,
          model: "m",
          choices: [{ index: 0, delta, finish_reason }],
        },
      ];
      const { content, tool_calls } = chatMessage(turn, id);
      const delta = tool_calls
        ? { tool_calls: tool_calls.map((call, index) => ({ index, ...call })) }
        : { content };
      return [chunk({ role: "assistant", ...delta }, null), chunk({}, finish(turn)), [undefined, "[DONE]"]];
    },
  },
  responses: {
    matches: /\/responses$/,
    isStream: byFlag,
    whole: (turn, id) => response(turn, id),
    events: (turn, id) => {
      const item = responseItem(turn, id);
      return [
        [
          "response.created",
          { type: "response.created", response: { id: `r_${id}`, created_at: 1, model: "m" } },
        ],
        ["response.output_item.added", { type: "response.output_item.added", output_index: 0, item }],
        ["response.output_item.done", { type: "response.output_item.done", output_index: 0, item }],
        ["response.completed", { type: "response.completed", response: response(turn, id) }],
      ];
    },
  },
  anthropic: {
    matches: /\/messages(\?|$)/,
    isStream: byFlag,
    whole: (turn, id) => ({
      type: "message",
      id: "msg_1",
      model: "m",
      role: "assistant",
      content: [
        "text" in turn
          ? { type: "text", text: turn.text }
          : { type: "tool_use", id, name: turn.tool, input: turn.input },
      ],
      stop_reason: "text" in turn ? "end_turn" : "tool_use",
      usage: { input_tokens: 12, output_tokens: 3 },
    }),
    events: anthropicEvents,
  },
  google: {
    matches: /:(generateContent|streamGenerateContent)/,
    isStream: (_body, path) => path.includes(":stream"),
    whole: googleAnswer,
    events: (turn) => [[undefined, googleAnswer(turn)]],
  },
};

function googleAnswer(turn: ModelTurn): object {
  const part = "text" in turn ? { text: turn.text } : { functionCall: { name: turn.tool, args: turn.input } };
  return {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 12, candidatesTokenCount: 3, totalTokenCount: 15 },
  };
}

const finish = (turn: ModelTurn): string => ("text" in turn ? "stop" : "tool_calls");

function chatMessage(
  turn: ModelTurn,
  id: string,
): { content: string | null; tool_calls?: { id: string; type: "function"; function: object }[] } {
  if ("text" in turn) return { content: turn.text };
  const call = {
    id,
    type: "function" as const,
    function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
  };
  return { content: null, tool_calls: [call] };
}

function responseItem(turn: ModelTurn, id: string): object {
  if ("text" in turn) {
    const content = [{ type: "output_text", text: turn.text, annotations: [] }];
    return { type: "message", id: `m_${id}`, role: "assistant", status: "completed", content };
  }
  const { namespace } = turn;
  const name = { name: turn.tool, ...(namespace === undefined ? {} : { namespace }) };
  const call = { call_id: id, ...name, arguments: JSON.stringify(turn.input) };
  return { type: "function_call", id: `f_${id}`, status: "completed", ...call };
}

function response(turn: ModelTurn, id: string): object {
  return {
    id: `r_${id}`,
    object: "response",
    created_at: 1,
    status: "completed",
    model: "m",
    output: [responseItem(turn, id)],
    usage: {
      input_tokens: 12,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 3,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
  };
}

function anthropicEvents(turn: ModelTurn, id: string): (readonly [string, object])[] {
  const isText = "text" in turn;
  const block = isText ? { type: "text", text: "" } : { type: "tool_use", id, name: turn.tool, input: {} };
  const deltas = isText
    ? (turn.text.match(/[\s\S]{1,10}/g) ?? []).map((text) => ({ type: "text_delta", text }))
    : [{ type: "input_json_delta", partial_json: JSON.stringify(turn.input) }];
  const message = {
    ...{ id: `msg_${id}`, type: "message", role: "assistant", model: "m", content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage: { input_tokens: 12, output_tokens: 1 } },
  };
  const events: object[] = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index: 0, delta })),
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: isText ? "end_turn" : "tool_use", stop_sequence: null },
      usage: { output_tokens: 3 },
    },
    { type: "message_stop" },
  ];
  return events.map((event) => [(event as { type: string }).type, event] as const);
}
