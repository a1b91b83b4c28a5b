import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { ConsoleClient, SOURCE } from "../../support/console/console-client.js";
import { consoleTexts as lines, consoleRecords as records } from "../../support/console/console-records.js";
import { hello, testHub } from "../../support/hub/hub.js";

describe("the record of a console line", () => {
  it("is written once, in the app's timeline, when the SDK and the extension both report it", async () => {
    const hub = await testHub();
    const [app, agent] = await Promise.all([hub.app("shop"), hub.agent("shop")]);
    app.send({ ...hello, url: SOURCE.url, instanceId: "i1" });
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    await agent.next("hello");
    const send = (text: string, n: number): void =>
      app.send({ type: "console", level: "log", args: [text], callId: `i1:${n}` });
    const seen = (text: string, n?: number): void =>
      client.send("console_event", {
        method: "log",
        args: [{ type: "string", value: text }],
        ...(n === undefined ? {} : { callId: `i1:${n}` }),
      });
    const logged = (text: string) => agent.next("console", ({ args }) => String(args) === text);
    send("sdk first", 1);
    await logged("sdk first");
    seen("sdk first", 1);
    seen("extension first", 2);
    await logged("extension first");
    send("extension first", 2);
    // The same text again is another call.
    send("sdk first", 3);
    seen("only the extension", 4);
    seen("without the SDK");
    await logged("only the extension");
    await until(async () => (await lines(hub)).length === 1);
    expect(await lines(hub, "shop")).toEqual([
      "sdk first",
      "extension first",
      "sdk first",
      "only the extension",
    ]);
    expect(await lines(hub)).toEqual(["without the SDK"]);
    const received = agent.received.filter(({ type }) => type === "console").map(({ args }) => String(args));
    expect(received).toEqual(["sdk first", "extension first", "sdk first", "only the extension"]);
  });

  it("waits a moment for the SDK of a page to connect, so that its first lines are recorded once", async () => {
    const hub = await testHub();
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    const event = { method: "log", args: [{ type: "string", value: "first line" }], callId: "late:1" };
    client.send("console_event", event);
    const app = await hub.app("shop");
    app.send({ ...hello, instanceId: "late" });
    app.send({ type: "console", level: "log", args: ["first line"], callId: "late:1" });
    app.send({ type: "console", level: "log", args: ["second line"], callId: "late:2" });
    await until(async () => (await lines(hub, "shop")).includes("second line"));
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await lines(hub, "shop")).filter((text) => text === "first line")).toHaveLength(1);
    expect(await lines(hub)).toEqual([]);
    client.send("console_event", { ...event, callId: "elsewhere:1" });
    await until(async () => (await lines(hub)).length === 1);
  });

  it("has one shape whatever captured the line, with the place in the code", async () => {
    const hub = await testHub();
    const app = await hub.app("shop");
    app.send({ ...hello, url: "http://localhost:3000/cart" });
    const location = { url: "http://localhost:3000/a.js", line: 4, column: 9 };
    app.send({ type: "console", level: "warn", args: ["%s left", "2"], location });
    app.send({
      type: "error",
      message: "Uncaught Error: x",
      filename: location.url,
      lineno: 4,
      colno: 9,
    });
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    client.send("console_event", {
      method: "warn",
      args: [
        { type: "string", value: "%s left" },
        { type: "number", value: 2 },
      ],
      location,
    });
    client.send("console_event", {
      method: "error",
      uncaught: "error",
      args: [
        { type: "error", value: "Error: x", stack: "Error: x\n    at a (http://localhost:3000/a.js:4:9)" },
      ],
    });
    await until(async () => (await lines(hub)).length === 2 && (await lines(hub, "shop")).length === 2);
    for (const [session, source] of [
      ["shop", "sdk"],
      ["tab-7", "extension"],
    ] as const) {
      const [warning, error] = await records(hub, session);
      const shared = { source, location, origin: "http://localhost:3000" };
      expect(warning).toMatchObject({ type: "console", data: { ...shared, level: "warn", text: "2 left" } });
      expect(error).toMatchObject({
        type: "error",
        data: { ...shared, level: "error", text: "Uncaught Error: x" },
      });
    }
  });

  it("is not written for a launched browser at the same address", async () => {
    const hub = await testHub();
    const launched = hub.joinAsApp("launched", { kind: "browser" });
    const agent = await hub.agent("launched");
    const common = { sessionId: "launched", timestamp: 1, origin: "app" };
    launched.send(JSON.stringify({ ...hello, ...common, url: SOURCE.url, kind: "browser" }));
    await agent.next("hello");
    const client = await ConsoleClient.greeted(hub.consoleUrl);
    client.log("from the tab");
    await until(async () => (await lines(hub, `tab-${SOURCE.tabId}`)).length === 1);
    expect(await lines(hub, "launched")).toEqual([]);
  });
});
