import { platform } from "../../inert/platform.js";
import { hookFunction, type Unhook, unhookAll } from "../hook.js";
import { BODY_READ, type NetworkReporter } from "./network-reporter.js";

/** How long the copy of an endless body is read. Until then the server does not notice when the app cancels. */
const READ_MS = 2_000;

/** Reports `fetch`, and when the app has read the answers. */
export function captureFetch(reporter: NetworkReporter): Unhook {
  const { window, guard } = reporter.context;
  /** Which request a response, or a stream of one, belongs to. */
  const ids = new WeakMap<object, string>();
  const hold = (read: unknown, ending: () => Promise<unknown>): void => {
    const id = ids.get(read as object);
    if (!id) return;
    guard.run(() => {
      const done = reporter.context.activity()?.holdOpen(id);
      ending().then(done, done);
    });
  };
  const unhooks = [
    hookFunction(window, "fetch", {
      call(original, self, args) {
        const request = guard.run(() => beginFetch(reporter, args));
        const response = Reflect.apply(original, self, args) as Promise<Response>;
        if (!request) return response;
        // The app gets the chained promise: with the original one, our handler would hide unhandled rejections.
        return response.then(
          (answer) => {
            ids.set(answer, request.id);
            guard.run(() => request.answered(answer));
            // Afterwards: a response that was copied has another body.
            guard.run(() => answer.body && ids.set(answer.body, request.id));
            return answer;
          },
          (error: unknown) => {
            guard.run(() => request.failed(error));
            throw error;
          },
        );
      },
    }),
    ...(["json", "text", "arrayBuffer", "blob"] as const).map((method) =>
      hookFunction(window.Response.prototype, method, {
        call(original, self, args) {
          const reading = Reflect.apply(original, self, args) as Promise<unknown>;
          hold(self, () => reading);
          return reading;
        },
      }),
    ),
    hookFunction(window.ReadableStream.prototype, "getReader", {
      call(original, self, args) {
        const reader = Reflect.apply(original, self, args) as ReadableStreamDefaultReader;
        hold(self, () => reader.closed);
        return reader;
      },
    }),
    hookFunction(window.ReadableStream.prototype, "pipeThrough", {
      call(original, self, args) {
        const piped = Reflect.apply(original, self, args) as ReadableStream;
        const id = ids.get(self as object);
        if (id) ids.set(piped, id);
        return piped;
      },
    }),
  ];
  return unhookAll(unhooks);
}

interface RunningFetch {
  readonly id: string;
  answered(response: Response): void;
  failed(error: unknown): void;
}

function beginFetch(reporter: NetworkReporter, args: unknown[]): RunningFetch {
  const [input, init] = args;
  const request =
    typeof input === "object" && input !== null && "method" in input ? (input as Request) : undefined;
  const options = (init ?? {}) as RequestInit;
  const method = String(options.method ?? request?.method ?? "GET").toUpperCase();
  const url = request ? request.url : String(input);
  const running = reporter.send({ api: "fetch", method, url }, options.body, args);
  const [base] = running;
  return {
    id: base.id,
    answered(response) {
      reporter.answered(running, response, Number(response.headers?.get("content-length") || "unknown"));
      if (!reporter.options.captureBodies || response.bodyUsed || !isReadable(response)) return;
      const report = reporter.context.guard.wrap((text: string) => {
        const body = reporter.body(text);
        if (body.body !== undefined) reporter.report({ ...base, phase: "message", direction: "in", ...body });
      });
      beginningOf(response.clone()).then(report, () => {});
    },
    failed: (error) => reporter.failed(running, reporter.context.masker.fit(String(error), 500)),
  };
}

/** Text that ends. A stream is the app's alone: it stays open on the server until everyone who reads it has left. */
function isReadable({ headers }: Response): boolean {
  const type = headers?.get("content-type") ?? "";
  return /json|text|xml|urlencoded|javascript/.test(type) && !/stream|ndjson|jsonl|json-seq/.test(type);
}

/** Reads a copy of a response as far as is wanted, or as arrives in time, and releases it. */
async function beginningOf(copy: Response): Promise<string> {
  const reader = copy.body?.getReader();
  if (!reader) return "";
  const timer = platform.setTimeout(() => void reader.cancel().catch(() => {}), READ_MS);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
      if (text.length > BODY_READ) return text;
    }
  } finally {
    platform.clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
}
