import { describe, expect, it } from "vitest";
import {
  BridgeError,
  CONSOLE_ERROR_CODES,
  consolePayloadOf,
  ERROR_CODES,
  errorFromBody,
  httpStatusOf,
} from "./errors.js";
import { commandResultSchema } from "./schema/app/results.js";
import { consoleErrorSchema } from "./schema/console/wire.js";

describe("a BridgeError", () => {
  it("has a valid form on every wire, for every code", () => {
    for (const code of ERROR_CODES) {
      const error = new BridgeError(code, "say what to do", { field: "target.ref" });
      const result = {
        type: "command_result",
        sessionId: "s",
        timestamp: 1,
        origin: "app",
        requestType: "click",
        ...error.toCommandResult(),
      };
      expect(commandResultSchema.parse(result)).toEqual(result);
      const payload = consolePayloadOf(error);
      expect(CONSOLE_ERROR_CODES).toContain(payload.code);
      const message = { version: "1.0.0", type: "error", timestamp: new Date(0).toISOString(), payload };
      expect(consoleErrorSchema.parse(message)).toEqual(message);
      expect(httpStatusOf(error)).toBeGreaterThanOrEqual(400);
      expect(errorFromBody(error.toBody())).toEqual(error);
    }
  });

  it("keeps its code when it is wrapped, and gives one to anything else", () => {
    const error = new BridgeError("timeout", "late");
    expect(BridgeError.from(error)).toBe(error);
    const ofOtherScript = {
      name: "BridgeError",
      code: "stale_ref",
      message: "gone",
      details: { field: "ref" },
    };
    expect(BridgeError.from(ofOtherScript)).toEqual(new BridgeError("stale_ref", "gone", { field: "ref" }));
    expect(BridgeError.from(new TypeError("x"))).toMatchObject({ code: "internal", message: "x" });
    expect(BridgeError.from(null, "tool_failed")).toMatchObject({ code: "tool_failed", message: "null" });
    expect(errorFromBody({ code: "made_up", message: "m" })).toMatchObject({
      code: "internal",
      message: "m",
    });
  });
});
