import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../fixtures.js";
import { CdpClient } from "../integration/relay/cdp-client.js";
import { DISGUISED_CODE, DISGUISED_OPTIONS } from "./support/disguised.js";
import { type ReadOnlyStage, readOnlyStage } from "./support/read-only-stage.js";
import { recordPlaywright, type Sent } from "./support/recorded.js";
import type { State } from "./support/victim.js";

const ACT = "document.title = 'planted'";
const CALL = "(utilityScript, ...args) => utilityScript.evaluate(...args)";

type Result = { result?: { objectId?: string; value?: unknown }; executionContextId?: number };

/** A CDP client on the victim's page, with a separate isolated world. */
class Attacker {
  private constructor(
    readonly client: CdpClient,
    readonly session: string,
    readonly frameId: string,
  ) {}

  static async connect({ stage, victim }: ReadOnlyStage): Promise<Attacker> {
    const client = await CdpClient.connect(stage.cdpUrl);
    const { targetInfos } = (await client.result("Target.getTargets")) as {
      targetInfos: { targetId: string; url: string; type: string }[];
    };
    const page = targetInfos.find(({ url, type }) => url === victim.url && type === "page");
    const targetId = String(page?.targetId);
    const { sessionId } = await client.result("Target.attachToTarget", { targetId, flatten: true });
    const attacker = new Attacker(client, String(sessionId), targetId);
    for (const domain of ["Page", "Runtime", "DOM"]) await attacker.ask(`${domain}.enable`);
    return attacker;
  }

  async ask(method: string, params: object = {}): Promise<Result> {
    const { result, error } = await this.client.ask(method, params, this.session);
    return (result ?? { error }) as Result;
  }

  async world(worldName: string): Promise<number> {
    const made = await this.ask("Page.createIsolatedWorld", { frameId: this.frameId, worldName });
    return made.executionContextId as number;
  }

  /** Functions that the objects of a client's world lead to, such as `eval`. */
  async functionsOf(objectId: string): Promise<string[]> {
    const found: string[] = [];
    for (const ownProperties of [true, false]) {
      const { result = [] } = (await this.ask("Runtime.getProperties", { objectId, ownProperties })) as {
        result?: { value?: { type: string; objectId?: string } }[];
      };
      for (const { value } of result)
        if (value?.type === "function" && value.objectId) found.push(value.objectId);
    }
    return found;
  }

  /** Playwright's call, with an object in the place of its injected script whose methods are that function. */
  async callWith(objectId: string, genuine: readonly object[], utility: string): Promise<void> {
    const forged = { o: ["querySelectorAll", "eval", "next"].map((k) => ({ k, v: { h: 0 } })), id: 50 };
    const evil = { o: [{ k: "info", v: { o: [{ k: "parsed", v: ACT }], id: 52 } }], id: 51 };
    await this.ask("Runtime.callFunctionOn", {
      functionDeclaration: CALL,
      objectId: utility,
      arguments: [
        { objectId: utility },
        ...genuine.slice(1, 4),
        { value: 2 },
        { value: forged },
        { value: evil },
        { objectId },
      ],
    });
  }

  /** Runs a text of the client and returns the object that it makes. */
  async object(expression: string, contextId?: number): Promise<string> {
    const { result } = await this.ask("Runtime.evaluate", { expression, contextId });
    return result?.objectId as string;
  }
}

describe.each(["hub", "person"] as const)("V3: a client that may only look (set by the %s)", (setBy) => {
  let on: ReadOnlyStage;
  let before: State;
  let sent: Sent[];
  beforeAll(async () => {
    on = await readOnlyStage(setBy);
    sent = await recordPlaywright(on.stage.cdpUrl, async (browser) => {
      const page = browser
        .contexts()[0]
        ?.pages()
        .find((each) => each.url() === on.victim.url);
      expect(await page?.locator("#text").textContent()).toBe("Hello there");
    });
    before = await on.victim.state(on.stage.person.endpoint);
  });
  afterAll(() => on?.close());
  const unchanged = async (name: string): Promise<void> =>
    expect(await on.victim.changes(on.stage.person.endpoint, before), name).toEqual([]);

  it("changes nothing with code that hides its side effects, in any world and form", async () => {
    const attacker = await Attacker.connect(on);
    const contextId = await attacker.world("mine");
    expect(Object.keys(DISGUISED_CODE).length).toBeGreaterThan(50);
    for (const [name, expression] of Object.entries(DISGUISED_CODE)) {
      for (const options of DISGUISED_OPTIONS) {
        await attacker.ask("Runtime.evaluate", { expression, ...options });
        await attacker.ask("Runtime.evaluate", { expression, contextId, ...options });
        const functionDeclaration = `() => { return (0, ${expression}) }`;
        await attacker.ask("Runtime.callFunctionOn", {
          functionDeclaration,
          executionContextId: contextId,
          ...options,
        });
      }
      await unchanged(name);
    }
  });

  it("changes nothing with its own objects in the calls of Playwright and Puppeteer", async () => {
    const attacker = await Attacker.connect(on);
    for (const contextId of [undefined, await attacker.world("forged")]) {
      const forged = await attacker.object(
        `({ evaluate() { ${ACT} }, next() { ${ACT} }, map() { ${ACT} } })`,
        contextId,
      );
      expect(forged).toBeTypeOf("string");
      for (const functionDeclaration of [
        CALL,
        "iterator => iterator.next()",
        `function () { this.evaluate() }`,
      ])
        await attacker.ask("Runtime.callFunctionOn", {
          functionDeclaration,
          objectId: forged,
          arguments: [{ objectId: forged }, { value: true }],
          awaitPromise: true,
        });
      await attacker.ask("Runtime.awaitPromise", { promiseObjectId: forged });
    }
    await unchanged("forged objects");
  });

  it("changes nothing with Playwright's own calls when a text in them is its own", async () => {
    const attacker = await Attacker.connect(on);
    const contextId = await attacker.world("copied");
    const scripts = sent
      .filter(({ method }) => method === "Runtime.evaluate")
      .map(({ params }) => String(params.expression));
    const utility = await attacker.object(
      scripts.find((text) => text.includes("UtilityScript())(")) as string,
      contextId,
    );
    const injected = await attacker.object(
      scripts.find((text) => text.includes("InjectedScript())(")) as string,
      contextId,
    );
    const genuine = sent.findLast(({ params }) => JSON.stringify(params).includes("callbackText"))?.params
      .arguments;
    const call = (values: unknown): Promise<Result> =>
      attacker.ask("Runtime.callFunctionOn", {
        functionDeclaration: CALL,
        objectId: utility,
        arguments: [{ objectId: utility }, ...(values as object[]).slice(1, -1), { objectId: injected }],
        returnByValue: true,
        awaitPromise: true,
      });
    const answer = await call(genuine);
    expect(JSON.stringify(answer)).toContain("Hello there");
    const functions = await attacker.functionsOf(injected);
    expect(functions.length).toBeGreaterThan(5);
    for (const objectId of functions) await attacker.callWith(objectId, genuine as object[], utility);
    await unchanged("functions as parts of the client");
    for (const [name, values] of Object.entries(forgeries(genuine as object[]))) {
      await call(values);
      await unchanged(name);
    }
    for (const [name, text] of Object.entries(forgedScripts(scripts))) {
      await attacker.ask("Runtime.evaluate", { expression: text, contextId });
      await unchanged(name);
    }
    // The world is tainted now, and even the genuine call has to do without side effects.
    await call(genuine);
    await unchanged("the genuine call");
  });

  it("changes nothing with other commands that carry code, before and after the page is attached", async () => {
    const attacker = await Attacker.connect(on);
    const script = "Page.addScriptToEvaluateOnNewDocument";
    for (const end of ["\r", "\n", "\u2028", "\u2029"])
      await attacker.ask(script, { source: `//${end}${ACT}`, runImmediately: true });
    await attacker.ask(script, { source: `${ACT}//`, worldName: "w", runImmediately: true });
    await attacker.ask("Page.addScriptToEvaluateOnLoad", { scriptSource: ACT });
    await attacker.ask("Runtime.compileScript", { expression: ACT, persistScript: true, sourceURL: "x" });
    await attacker.ask("Runtime.runScript", { scriptId: "1" });
    await attacker.ask("Runtime.addBinding", { name: "planted" });
    await attacker.ask("Runtime.setCustomObjectFormatterEnabled", { enabled: true });
    await attacker.ask("Debugger.enable");
    await attacker.ask("Debugger.setBreakpointByUrl", { lineNumber: 1, urlRegex: ".*", condition: ACT });
    await attacker.ask("Page.setDocumentContent", { frameId: attacker.frameId, html: "planted" });
    const { root } = (await attacker.ask("DOM.getDocument")) as { root?: { nodeId: number } };
    const node = (await attacker.ask("DOM.resolveNode", { nodeId: root?.nodeId })) as {
      object?: { objectId: string };
    };
    const objectId = node.object?.objectId;
    expect(objectId).toBeTypeOf("string");
    await attacker.ask("Runtime.callFunctionOn", {
      objectId,
      functionDeclaration: `function () { this.planted = () => { ${ACT} } }`,
    });
    await unchanged("other commands");
  });

  it("V19: cannot hang the tab with an endless loop", async () => {
    const attacker = await Attacker.connect(on);
    const loop = "for (;;);";
    const evaluated = attacker.ask("Runtime.evaluate", { expression: loop, timeout: 1e9 });
    const contextId = await attacker.world("loop");
    expect(JSON.stringify(await evaluated)).toContain("terminated");
    const functionDeclaration = `() => { ${loop} }`;
    attacker.client.socket.send(
      JSON.stringify({
        id: 9_999,
        method: "Runtime.callFunctionOn",
        params: { functionDeclaration, executionContextId: contextId },
        sessionId: attacker.session,
      }),
    );
    await until(() => attacker.client.messages.some(({ id }) => id === 9_999), 30_000);
    await unchanged("an endless loop");
  });
});

/** Playwright's call with one thing in it that is not Playwright's. */
function forgeries(genuine: readonly object[]): Record<string, unknown> {
  const text = JSON.stringify(genuine);
  const replace = (key: string, value: unknown): unknown =>
    JSON.parse(text, (_key, each) => (each?.k === key ? { ...each, v: value } : each));
  const insert = (key: string, entry: object): unknown =>
    JSON.parse(text, (_key, each) =>
      Array.isArray(each?.o) && each.o.some(({ k }: { k: string }) => k === key)
        ? { ...each, o: [...each.o, entry] }
        : each,
    );
  const evil = `() => { ${ACT} }`;
  const withExpression = (value: string): unknown => genuine.map((each, i) => (i === 3 ? { value } : each));
  return {
    "another expression": withExpression(evil),
    "an expression with its own end": withExpression(`${(genuine[3] as { value: string }).value};${ACT}`),
    "an expression that is no function": genuine.map((each, i) =>
      i === 1 ? { value: false } : i === 3 ? { value: ACT } : each,
    ),
    "another function": replace("functionText", evil),
    "another callback": replace("callbackText", evil),
    "a second function": insert("functionText", { k: "functionText", v: evil }),
    "a second callback": insert("callbackText", { k: "callbackText", v: evil }),
    "a prototype": insert("functionText", {
      k: "__proto__",
      v: { o: [{ k: "functionText", v: evil }], id: 99 },
    }),
    "a function by reference": replace("functionText", { o: [{ k: "toString", v: evil }], id: 98 }),
    "arguments by handle": genuine.map((each, i) => (i === 6 ? { value: { h: 0 } } : each)),
  };
}

/** Playwright's scripts with something added. */
function forgedScripts(scripts: readonly string[]): Record<string, string> {
  const utility = scripts.find((text) => text.includes("UtilityScript())(")) as string;
  const injected = scripts.find((text) => text.includes("InjectedScript())(")) as string;
  return {
    "code after a script": `${utility};${ACT}`,
    "code before a script": `${ACT};${utility}`,
    "code in the place of a script": `${utility}\n//# sourceURL=x\r${ACT}`,
    "a selector engine": injected.replace(
      '"customEngines":[]',
      `"customEngines":[{"name":"a","source":"(${ACT})"}]`,
    ),
    "code in the options": injected.replace('"customEngines":[]', `"customEngines":[],"a":(${ACT})`),
    "code after the options": injected.replace('"customEngines":[]});', `"customEngines":[]},${ACT});`),
    "a script in another's options": injected.replace(
      '"customEngines":[]',
      `"customEngines":[]}, ".InjectedScript())(globalThis, 1);\n${ACT}//`,
    ),
  };
}
