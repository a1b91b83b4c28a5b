import type { TimelineRecord } from "@debug-bridge/protocol";
import { expect, it } from "vitest";
import type { Bridge } from "../bridge.js";
import { writtenPlaces } from "./written-places.js";

const STACK = "Error: too far\n    at increment (http://localhost:1/main.js:40:13)";
const location = { url: "http://localhost:1/framework.js", line: 7, column: 1 };

/** A record of a console call, with its arguments. */
const printed = (...values: object[]): TimelineRecord =>
  ({
    type: "console",
    sessionId: "app",
    sequence: 1,
    data: { type: "console", level: "error", args: ["ERROR"], values, location },
  }) as unknown as TimelineRecord;

it("are those of the error that a framework prints for the app, not of the call that prints it", async () => {
  const asked: (string | undefined)[] = [];
  const bridge = {
    hub: { sessions: async () => [{ id: "app", url: "http://localhost:1/" }] },
    locate: async (_location: object, _page: string, stack?: string) => {
      asked.push(stack);
      return { url: "src/app.ts", line: 9, column: 3 };
    },
  } as unknown as Bridge;
  const error = printed({ type: "string", value: "ERROR" }, { type: "error", stack: STACK });
  const plain = printed({ type: "string", value: "ERROR" });
  const places = await writtenPlaces([error, plain], "app", bridge);
  expect(asked).toEqual([STACK, undefined]);
  expect(places.get(error)).toMatchObject({ url: "src/app.ts", line: 9 });
});
