import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../fixtures.js";
import type { CdpClient } from "../integration/relay/cdp-client.js";
import { PersonStage } from "./person/stage.js";

let person: PersonStage;
beforeAll(async () => {
  person = await PersonStage.start();
});
afterEach(() => person.reset());
afterAll(() => person?.close());

/** The person is logged in at the bank, and locks a tab to the shop. */
async function locked(
  path = "/",
  query = "",
): Promise<{
  tabId: number;
  client: CdpClient;
  session: string;
  run: (code: string) => Promise<unknown>;
}> {
  await (await person.open(person.sites.url("bank.test"))).page.close();
  const { tabId } = await person.open(person.sites.url("shop.test", path + query));
  await person.share(tabId, "site");
  const { client, session } = await person.attach(tabId);
  person.sites.seen.length = 0;
  const run = async (expression: string): Promise<unknown> => {
    const { result } = await client.ask("Runtime.evaluate", { expression, returnByValue: true }, session);
    return (result?.result as { value?: unknown } | undefined)?.value;
  };
  expect(await run("document.title")).toBe(`shop.test ${path}`);
  return { tabId, client, session, run };
}

const bank = (path = "/"): string => person.sites.url("bank.test", path);
/** Service workers and speculation rules need a secure page, which those of this host are. */
const secure = (host: string, path = "/"): string => person.sites.url(`${host}.localhost`, path);
const isTaken = (tabId: number) => (): boolean =>
  !person.stage.hub.relay.tabs().some((tab) => tab.tabId === tabId);

const REFUSED: readonly [method: string, params: object][] = [
  ["Network.getAllCookies", {}],
  ["Storage.getCookies", {}],
  ["Network.getCookies", { urls: ["http://bank.test/"] }],
  ["Network.setCookie", { name: "a", value: "b", url: "http://bank.test/" }],
  ["DOM.setFileInputFiles", { files: ["/etc/passwd"], nodeId: 1 }],
  [
    "Network.loadNetworkResource",
    { url: "http://bank.test/", options: { disableCache: true, includeCredentials: true } },
  ],
  ["Browser.grantPermissions", { origin: "http://bank.test", permissions: ["videoCapture"] }],
  ["Page.navigate", { url: "http://bank.test/" }],
  ["Page.navigate", { url: "file:///etc/passwd" }],
  ["Page.addScriptToEvaluateOnNewDocument", { source: "fetch('/owned')" }],
  ["Target.createTarget", { url: "http://bank.test/" }],
];

describe("V5: a client in a tab that is locked to a site", () => {
  /** Together, because a client that may ask the person waits for an answer. */
  it("cannot use the profile, files, permissions or another site", async () => {
    const { client, session } = await locked();
    const answers = REFUSED.map(async ([method, params]) => {
      const isBrowser = method.startsWith("Browser.") || method.startsWith("Target.");
      const { error, result } = await client.ask(method, params, isBrowser ? undefined : session);
      const isRefused = /locked to shop\.test|grant: (files|permissions|new-sites)|popup/.test(
        error?.message ?? "",
      );
      return isRefused && result === undefined ? [] : [{ method, params, error, result }];
    });
    expect((await Promise.all(answers)).flat()).toEqual([]);
    expect(person.sites.requests("bank.test")).toEqual([]);
  }, 200_000);

  it("sends the tab to another site by no way of the page, and runs nothing there", async () => {
    const { run, tabId } = await locked();
    await run(`location.href = ${JSON.stringify(bank("/stolen"))}`);
    await until(isTaken(tabId));
    expect(person.sites.requests("bank.test")).toEqual([]);
  });

  it.each([
    ["a link", (url: string) => `on.href = ${url}; on.click()`],
    [
      "a form",
      (url: string) =>
        `const f = document.createElement('form'); f.action = ${url}; f.method = 'post'; document.body.append(f); f.submit()`,
    ],
    [
      "a refresh",
      (url: string) =>
        `const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url=' + ${url}; document.head.append(m)`,
    ],
    ["a timer", (url: string) => `setTimeout(() => location.replace(${url}), 50)`],
  ])("is stopped when it sends the tab to another site by %s", async (_name, code) => {
    const { run, tabId } = await locked();
    await run(`{ ${code(JSON.stringify(bank("/stolen")))} }`);
    await until(isTaken(tabId));
    expect(person.sites.requests("bank.test")).toEqual([]);
  });

  it("is stopped when a server of the site redirects to another one", async () => {
    const { run, client, session, tabId } = await locked();
    const path = `/redirect?to=${encodeURIComponent(bank("/stolen"))}`;
    await run(
      `{ const f = document.createElement('iframe'); f.src = ${JSON.stringify(path)}; document.body.append(f) }`,
    );
    await until(() => person.sites.requests("shop.test").includes("/redirect"));
    await client.ask("Page.navigate", { url: person.sites.url("shop.test", path) }, session);
    await until(isTaken(tabId));
    expect(person.sites.requests("bank.test")).toEqual([]);
  });

  it("is stopped when a service worker of the site sends the tab to another one", async () => {
    const { tabId } = await person.open(secure("shop"));
    await person.share(tabId, "site");
    const { client, session } = await person.attach(tabId);
    const script = `/worker.js?to=${encodeURIComponent(secure("bank", "/stolen"))}`;
    const expression = `navigator.serviceWorker.register(${JSON.stringify(script)}).then(() => navigator.serviceWorker.ready)
      .then(() => new Promise((done) => navigator.serviceWorker.controller ? done() : navigator.serviceWorker.oncontrollerchange = done)).then(() => 1)`;
    const { result } = await client.ask("Runtime.evaluate", { expression, awaitPromise: true }, session);
    expect(result?.result).toMatchObject({ value: 1 });
    await client.ask("Runtime.evaluate", { expression: "location.href = '/sent'" }, session);
    await until(isTaken(tabId));
    expect(person.sites.requests("bank.localhost")).toEqual([]);
  });

  it("cannot have another site fetched or drawn in advance", async () => {
    const { tabId } = await person.open(secure("shop"));
    await person.share(tabId, "site");
    const { client, session } = await person.attach(tabId);
    const expression = `for (const kind of ["prefetch", "prerender"]) {
      const rules = document.createElement('script');
      rules.type = 'speculationrules';
      rules.textContent = JSON.stringify({ [kind]: [{ urls: [${JSON.stringify(secure("bank", "/early"))}, '/own'], eagerness: 'immediate' }] });
      document.head.append(rules);
    }`;
    await client.result("Runtime.evaluate", { expression }, session);
    await until(() => person.sites.requests("shop.localhost").includes("/own"));
    expect(person.sites.requests("bank.localhost")).toEqual([]);
  });

  it.each(["iframe.src", "object.data", "embed.src"])("cannot load another site with %s", async (where) => {
    const { run, client, session } = await locked();
    const [tag, key] = where.split(".");
    await client.result(
      "Target.setAutoAttach",
      { autoAttach: true, waitForDebuggerOnStart: false, flatten: true },
      session,
    );
    await run(`new Promise((done) => {
      const e = document.createElement('${tag}');
      e.onload = e.onerror = done;
      setTimeout(done, 3000);
      e.${key} = ${JSON.stringify(bank("/framed"))};
      document.body.append(e);
    })`);
    await run(`fetch('/after').then(() => 1)`);
    await until(() => person.sites.requests("shop.test").includes("/after"));
    expect(framesOf(client, session).filter((url) => url.includes("bank.test"))).toEqual([]);
    expect(person.sites.requests("bank.test")).toEqual([]);
  });

  it("gets no session on a frame of another site that was there before", async () => {
    const src = encodeURIComponent(person.sites.url("mail.test"));
    const { client, session, run } = await locked("/frames", `?src=${src}`);
    const autoAttach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    await client.result("Target.setAutoAttach", autoAttach, session);
    // The frame is there, and Chrome has reported all of them by the time that it answers a later command.
    expect(await run("frames.length")).toBe(1);
    expect(framesOf(client, session)).toEqual([]);
    const { result } = await client.ask("Target.getTargets");
    expect(JSON.stringify(result)).not.toContain('"url":"http://mail.test');
  });

  it("loses the tab when history brings it back to another site, before it sees anything there", async () => {
    const { page, tabId } = await person.open(bank("/before"));
    await page.goto(person.sites.url("shop.test"));
    await person.share(tabId, "site");
    const { client, session } = await person.attach(tabId);
    // Chrome does not answer what is under way when the tab is taken, so nobody waits for the answers.
    const look = { expression: "document.body.innerText", returnByValue: true };
    void client.ask("Runtime.evaluate", { expression: "history.back()" }, session).catch(() => {});
    for (let i = 0; i < 200; i++) void client.ask("Runtime.evaluate", look, session).catch(() => {});
    await until(isTaken(tabId));
    // The wire keeps the order: whatever was said of the other site has arrived by now.
    await client.result("Target.getTargets");
    expect(JSON.stringify(client.messages)).not.toContain("secret of bank.test");
  });

  it("does not get the tab that the page opens at another site", async () => {
    const { client, session } = await locked();
    const expression = `window.open(${JSON.stringify(bank("/popup"))}) && 1`;
    await client.result("Runtime.evaluate", { expression, userGesture: true }, session);
    await until(() => person.sites.requests("bank.test").includes("/popup"));
    const { result } = await client.ask("Target.getTargets");
    expect(JSON.stringify(result)).not.toContain("bank.test");
    expect(person.stage.hub.relay.tabs()).toHaveLength(1);
  });

  it("keeps the documents without their own site", async () => {
    const { run } = await locked();
    await run(`Promise.all(['about:blank', 'data:text/html,x', URL.createObjectURL(new Blob(['y'], { type: 'text/html' }))].map((src) =>
      new Promise((done) => { const f = document.createElement('iframe'); f.onload = () => done(1); f.src = src; document.body.append(f); }))).then((all) => all.length)`);
    expect(await run("document.querySelectorAll('iframe').length")).toBe(3);
    expect(await run("location.href = '/next'; 1")).toBe(1);
    await until(async () => (await run("document.title")) === "shop.test /next");
  });

  it("finds nothing of what it set up when the tab was not locked yet", async () => {
    const { tabId } = await person.open(person.sites.url("shop.test"));
    await person.share(tabId, "full");
    const { client, session } = await person.attach(tabId);
    const source = "fetch('/owned-by-script')";
    await client.result("Page.addScriptToEvaluateOnNewDocument", { source }, session);
    await client.result("Runtime.evaluate", { expression: "1" }, session);
    await person.share(tabId, "site");
    await client.result("Page.navigate", { url: person.sites.url("shop.test", "/next") }, session);
    await until(() => person.sites.requests("shop.test").includes("/next"));
    await client.result("Runtime.evaluate", { expression: "fetch('/after') && 1" }, session);
    await until(() => person.sites.requests("shop.test").includes("/after"));
    expect(person.sites.requests("shop.test")).not.toContain("/owned-by-script");
  });
});

describe("the person in a locked tab", () => {
  it("goes to another site, and the tab is taken from agents first", async () => {
    const { page, tabId } = await person.open(person.sites.url("shop.test"));
    await person.share(tabId, "site");
    const { client, session } = await person.attach(tabId);
    await client.result("Runtime.evaluate", { expression: "1" }, session);
    // As in the address bar. An agent that has just done something might have caused it, so that counts as the agent's.
    await until(async () => {
      await page.goto(bank("/own")).catch(() => {});
      return person.sites.requests("bank.test").includes("/own");
    });
    await until(isTaken(tabId));
    const { error } = await client.ask("Runtime.evaluate", { expression: "document.title" }, session);
    expect(error?.message).toMatch(/left the site that the person locked it to/);
  });
});

function framesOf(client: CdpClient, session: string): string[] {
  return client
    .events("Target.attachedToTarget", session)
    .map(({ params }) => (params?.targetInfo as { url?: string } | undefined)?.url ?? "");
}
