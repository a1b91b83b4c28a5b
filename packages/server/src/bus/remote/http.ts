import { BridgeError } from "@debug-bridge/protocol";
import { check } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import type { Channel } from "../channels/channel.js";
import type { HttpHead } from "../channels/heads.js";

/** What a hub passes on of a request. Credentials stay: the hub that has the session trusts the one that admitted it. */
const PASSED_HEADERS = ["accept", "content-type", "last-event-id", "x-debug-bridge-client", "range"];
/** Above this many bytes that the other hub has not read, no more of an answer is read. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

const answerSchema = z.object({
  status: z.int().min(200).max(599),
  headers: z.array(z.tuple([z.string().max(200), z.string().max(16_384)])).max(50),
});

/** Sends a request over a channel; resolves with the other hub's answer, whose body is still to come. */
export async function requestOver(channel: Channel, request: Request): Promise<Response> {
  channel.send(Buffer.from(await request.arrayBuffer()));
  return new Promise((resolve, reject) => {
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    let isStream = false;
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        body = controller;
      },
      pull: () => channel.resume(),
      cancel: () => channel.close(1000, "the reader left"),
    });
    request.signal.addEventListener("abort", () => channel.close(1000, "the reader left"));
    channel.onMessage = (head) => {
      channel.onMessage = (part) => {
        body?.enqueue(new Uint8Array(part));
        if ((body?.desiredSize ?? 0) <= 0) channel.pause();
      };
      const answer = readAnswer(head.toString());
      if (!answer) channel.close(1011, "the answer is not valid");
      else {
        const { status, headers } = answer;
        isStream = headers.some(([, value]) => value.startsWith("text/event-stream"));
        const hasBody = status !== 204 && status !== 304;
        resolve(new Response(hasBody ? stream : null, { status, headers }));
      }
    };
    channel.onClose = (code, reason) => {
      reject(lostAnswer(request.method, reason));
      try {
        // Readers of a stream resume where it ended; an answer that is cut must not look complete.
        if (code === 1000 || isStream) body?.close();
        else body?.error(new Error(reason));
      } catch {
        // The reader has left.
      }
    };
  });
}

/** Answers a request that came over a channel. `answer` is the HTTP API of this hub. */
export function answerOver(
  channel: Channel,
  { method, headers }: Pick<HttpHead, "method" | "headers">,
  url: URL,
  own: Readonly<Record<string, string>>,
  answer: (request: Request) => Response | Promise<Response>,
): void {
  const gone = new AbortController();
  let wake = (): void => {};
  channel.onDrain = () => wake();
  channel.onClose = () => {
    gone.abort();
    wake();
  };
  channel.onMessage = (body) => {
    channel.onMessage = () => channel.close(1011, "a request has one body");
    void run(body);
  };
  const run = async (body: Buffer): Promise<void> => {
    const takesBody = method !== "GET" && method !== "HEAD";
    const request = new Request(url, {
      ...{ method, headers: { ...Object.fromEntries(headers), ...own }, signal: gone.signal },
      ...(takesBody && body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    try {
      const response = await answer(request);
      channel.send(JSON.stringify({ status: response.status, headers: [...response.headers] }));
      const reader = response.body?.getReader();
      gone.signal.addEventListener("abort", () => void reader?.cancel().catch(() => {}));
      while (reader && !gone.signal.aborted) {
        const { done, value } = await reader.read();
        if (done) break;
        channel.send(Buffer.from(value));
        while (channel.buffered > MAX_UNREAD_BYTES && !gone.signal.aborted)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
      channel.close(1000, "answered");
    } catch (thrown) {
      channel.close(1011, (thrown as Error).message);
    }
  };
}

export function passedHeaders(headers: Headers): [string, string][] {
  return PASSED_HEADERS.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}

function readAnswer(text: string): z.infer<typeof answerSchema> | undefined {
  try {
    const answer = check(answerSchema, JSON.parse(text));
    return answer.ok ? answer.value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * After which record a request for a session (what follows `/v1/sessions/ID`) reads; `undefined` when it reads no records of the past, as
 * commands, which must not wait for them.
 */
export function readsSince(rest: string, { searchParams }: URL, headers: Headers): number | undefined {
  const path = rest.split("?", 1)[0];
  if (path === "" || path === "/commands" || path === "/dev-server") return undefined;
  const isStream = path === "/stream";
  if (!isStream && path !== "/events") return 0;
  const since = searchParams.get("since") ?? (isStream ? headers.get("last-event-id") : "0");
  return since === null ? undefined : Number(since) || 0;
}

/** Whether a command ran cannot be known when its hub vanishes. */
function lostAnswer(method: string, reason: string): BridgeError {
  const isSafe = method === "GET" || method === "HEAD";
  return new BridgeError(
    isSafe ? "app_not_connected" : "outcome_unknown",
    isSafe
      ? `the hub that has this session was lost (${reason}); try again in a few seconds`
      : `the hub that has this session was lost before it answered (${reason}); the command may or may not have run`,
  );
}
