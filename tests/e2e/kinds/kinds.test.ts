import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentClient } from "@debug-bridge/client";
import type { CommandInput, CommandResult, TimelineRecord } from "@debug-bridge/protocol";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import { REACT_VERSIONS, reactScript } from "../act/react-script.js";
import { AllKinds, KINDS, type Kind } from "./all-kinds.js";
import { comparableResult } from "./answers.js";

let kinds: AllKinds;

beforeAll(async () => {
  kinds = await AllKinds.start();
});

afterAll(() => kinds?.close());

async function inAll<Value>(
  ask: (client: AgentClient, kind: Kind) => Promise<Value>,
): Promise<Record<Kind, Value>> {
  const answers = {} as Record<Kind, Value>;
  for (const kind of KINDS) answers[kind] = kinds.comparable(kind, await ask(kinds.clients[kind], kind));
  return answers;
}

/** The answer, which must be the same in all kinds. */
async function same<Value>(ask: (client: AgentClient, kind: Kind) => Promise<Value>): Promise<Value> {
  const { app, tab, browser } = await inAll(ask);
  expect(tab).toEqual(app);
  expect(browser).toEqual(app);
  return app;
}

/** The whole results of an act, which must be the same in all kinds. */
const sameResult = (command: CommandInput): Promise<Partial<CommandResult>> =>
  same(async (client, kind) => comparableResult(kinds, kind, await client.act(command)));

describe("an SDK app, a tab and a launched browser", () => {
  it("[ARC-002, ARC-033] show the same elements, with the same texts and refs", async () => {
    const text = await same(async (client) => (await client.observe()).text.split("\n").slice(1, -1));
    expect(text.some((line) => /^e\+\d+ button "Buy"$/.test(line))).toBe(true);
    expect(text.join("\n")).toContain('checkbox "Gift"');
  });

  it("[ARC-002, ARC-033] give the same receipts for the same acts", async () => {
    const bought = await sameResult({ type: "click", target: { text: "Buy" } });
    expect(bought.receipt).toMatchObject({
      appeared: [{ role: "link", name: "Cart (1)" }],
      console: [{ level: "info", text: 'bought {"sku":"a1"}' }],
      requests: [{ method: "POST", status: 201 }],
    });
    await sameResult({ type: "type", target: { role: "textbox", name: "Name" }, text: "Ada" });
    await sameResult({ type: "select", target: { role: "combobox", name: "Size" }, values: ["L"] });
    await sameResult({ type: "click", target: { text: "Gift" } });
    const failed = await sameResult({ type: "click", target: { text: "Break" } });
    expect(failed.receipt?.errors).toEqual(["Uncaught TypeError: broken"]);
    // The last one, as only a browser's own key has the focus shown from then on.
    await sameResult({ type: "press", key: "Escape" });
  });

  it("[ARC-002] refuse the same things with the same codes", async () => {
    const codes = await same(async (client) => {
      const refused: (string | undefined)[] = [];
      for (const target of [
        { text: "Nothing" },
        { ref: "e9999" },
        { text: "Remove" },
        { text: "Sold out" },
      ]) {
        const error = await client.act({ type: "click", target }).catch((thrown: { code: string }) => thrown);
        refused.push((error as { code?: string }).code);
      }
      return refused;
    });
    expect(codes).toEqual(["target_not_found", "stale_ref", "ambiguous_target", "not_actionable"]);
  });

  it("[ARC-036] report the same about what the page does", async () => {
    const records = await inAll(async (client, kind) => {
      const reader = kinds.hub.connectClient({ name: "reader" });
      const since = reader.sequence(kinds.ids[kind]);
      const recorded = (): TimelineRecord[] => reader.records(kinds.ids[kind], since);
      await client.act({ type: "click", target: { text: "Talk" }, settle: { quietMs: 200 } });
      await until(() =>
        recorded().some(({ type, data }) => type === "console" && JSON.stringify(data).includes("all done")),
      );
      const data = recorded()
        .filter(({ type }) => ["console", "error", "unhandledrejection", "network"].includes(type))
        .map(({ data }) => data as Record<string, unknown>);
      return data
        .filter(({ method }) => !String(method).startsWith("browser:"))
        .map(({ type, level, args, message, reason, phase, api, method, url, status, responseBytes }) => ({
          ...{ type, level, args, message, reason, phase, api, method, url, status, responseBytes },
        }))
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    });
    expect(records.app.length).toBeGreaterThan(6);
    expect(records.tab).toEqual(records.app);
    expect(records.browser).toEqual(records.app);
  });

  it("[ARC-034] are clicked by trusted input when there is CDP, and only then", async () => {
    const trusted = await inAll(async (client) => {
      const { receipt } = await client.act({ type: "click", target: { text: "Trust" } });
      return receipt?.console?.[0]?.text;
    });
    expect(trusted).toEqual({ app: "trusted false", tab: "trusted true", browser: "trusted true" });
  });

  it("[ARC-024] take screenshots when there is CDP; an app explains what to do instead", async () => {
    for (const kind of ["tab", "browser"] as const) {
      const { value } = await kinds.clients[kind].act({ type: "screenshot" });
      const { data } = value as { data: string };
      expect(Buffer.from(data, "base64").subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    }
    await expect(kinds.clients.app.act({ type: "screenshot" })).rejects.toMatchObject({
      code: "not_supported",
    });
  });

  it("know what reacts by its properties", async () => {
    const outline = await same(async (client) => {
      await client.act({
        type: "evaluate",
        code: `document.body.prepend(Object.assign(document.createElement("div"), { id: "reacts", textContent: "React to me", onclick() {} })); 1`,
      });
      const { result = "" } = await client.act({
        ...{ type: "request_ui_tree", format: "text", target: { selector: "#reacts" } },
      });
      return /e\d+/.test(result) && result.includes("React to me");
    });
    expect(outline).toBe(true);
  });

  it.each(REACT_VERSIONS)("read props and state of components of React %s", async (version) => {
    const script = await reactScript(version);
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/javascript").end(script);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/app.js`;
    const pay = { selector: "main button" };
    const shown = await same(async (client) => {
      const { value } = await client.act({
        type: "evaluate",
        code: `new Promise((resolve, reject) => {
          document.body.prepend(document.createElement("main"));
          const script = document.createElement("script");
          Object.assign(script, { src: ${JSON.stringify(url)}, onerror: reject });
          script.onload = () => requestAnimationFrame(() => setTimeout(() => resolve(reactVersion)));
          document.body.append(script);
        })`,
      });
      expect(JSON.stringify(value)).toContain(`"${version}.`);
      await client.act({ type: "wait_for", target: pay });
      await client.act({ type: "click", target: pay });
      const { result = "" } = await client.act({
        ...{ type: "request_ui_tree", format: "text", source: "component", target: pay },
      });
      return result.split("\n").slice(1).join("\n");
    });
    expect(shown).toBe(`Cart
  props.plan = "pro"
  props.apiKey = •••
  props.children = "<Total>"
  state.1 = 2
  state.2 = ""
  state.3 = ["bread"]
  refs.1 = {"isOpen":false}
  context.Theme = {"isDark":true}
in Page
  props: none`);
  });
});
