import { dirname } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { quietTime } from "../../support/chrome/quiet-time.js";
import { auditText } from "../../support/hub/audit.js";
import { Stage } from "./stage.js";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.start({ pages: ["/", "/second", "/blank"] });
});
afterEach(() => stage.disconnect());
afterAll(() => stage?.close());

interface Debugged {
  readonly attached: boolean;
  readonly url: string;
}
const attached = async (): Promise<string[]> => {
  const targets = await stage.person.inWorker<Debugged[]>("chrome.debugger.getTargets()");
  const own = await stage.person.inWorker<number[]>(
    "chrome.storage.session.get('attached').then((s) => s.attached ?? [])",
  );
  return own.length === 0
    ? []
    : targets
        .filter((target) => own.includes((target as { tabId?: number }).tabId ?? -1))
        .map(({ url }) => url);
};
const pageAt = (context: BrowserContext | undefined, path: string): Page =>
  context?.pages().find((page) => page.url() === stage.site.url(path)) as Page;

describe("the life of tabs and clients", () => {
  it("[REL-008] lists what can be debugged, and leaves out what cannot", async () => {
    await stage.person.open("chrome://version/");
    const browser = await stage.playwright();
    const urls = (): string[] => (browser.contexts()[0]?.pages() ?? []).map((page) => page.url());
    const shared = [stage.site.url("/"), stage.site.url("/second")];
    // On a busy machine a tab may still be on its way.
    await until(() => shared.every((url) => urls().includes(url)));
    expect(urls().some((url) => url.startsWith("chrome"))).toBe(false);
  });

  it("attaches only the tab that is used, and detaches afterwards", async () => {
    const browser = await stage.playwright();
    expect(await attached()).toEqual([]);
    await pageAt(browser.contexts()[0], "/second").evaluate("1");
    expect(await attached()).toEqual([stage.site.url("/second")]);
    await stage.disconnect();
    await until(async () => (await attached()).length === 0);
  });

  it("[REL-041] takes all tabs away from agents when the person cancels, until they are shared again", async () => {
    const browser = await stage.playwright();
    const pages = ["/", "/second"].map((path) => pageAt(browser.contexts()[0], path));
    for (const page of pages) await page.evaluate("1");
    const inFlight = pages[0]?.evaluate("new Promise(() => {})").catch((error: Error) => error.message);
    // As the button in Chrome's bar does, which a browser without a window does not have.
    await stage.person.inWorker(`(async () => {
      const { attached } = await chrome.storage.session.get("attached");
      for (const tabId of attached) await chrome.debugger.detach({ tabId });
      chrome.debugger.onDetach.dispatch({ tabId: attached[0] }, "canceled_by_user");
    })()`);
    await until(() => pages.every((page) => page.isClosed()));
    expect(await inFlight).toMatch(/closed|destroyed/);
    expect(await attached()).toEqual([]);
    const again = await stage.playwright();
    const urls = again
      .contexts()[0]
      ?.pages()
      .map((page) => page.url());
    expect(urls).toEqual([stage.site.url("/blank")]);

    const direct = await stage.direct();
    const popup = (await direct.contexts()[0]?.newPage()) as Page;
    await popup.goto("chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb/popup.html");
    await popup.locator("#others summary").click();
    for (const name of ["Home", "Second"]) await popup.getByRole("button", { name: `Share ${name}` }).click();
    await until(() => again.contexts()[0]?.pages().length === 3);
    expect(await pageAt(again.contexts()[0], "/second").title()).toBe("Second");
    await popup.close();
  });

  it("knows pages that navigated before any client used them", async () => {
    const browser = await stage.playwright();
    const page = pageAt(browser.contexts()[0], "/blank");
    const direct = await stage.direct();
    await pageAt(direct.contexts()[0], "/blank").goto(stage.site.url("/dialogs"));
    await until(() => page.url() === stage.site.url("/dialogs"));
    expect(await page.locator("h1").textContent()).toBe("Dialogs");
    await page.goto(stage.site.url("/blank"));
  });

  it("serves two clients in two tabs, and in the same one, at once", async () => {
    const [one, two] = [await stage.playwright(), await stage.puppeteer()];
    const mine = pageAt(one.contexts()[0], "/");
    const theirs = (await two.pages()).find((page) => page.url() === stage.site.url("/second"));
    const shared = (await two.pages()).find((page) => page.url() === stage.site.url("/"));
    const rounds = Array.from({ length: 30 }, (_, i) => i);
    const answers = await Promise.all(
      rounds.flatMap((i) => [
        mine.evaluate((n) => `a${n}`, i),
        theirs?.evaluate((n) => `b${n}`, i),
        shared?.evaluate((n) => `c${n}`, i),
      ]),
    );
    expect(answers).toEqual(rounds.flatMap((i) => [`a${i}`, `b${i}`, `c${i}`]));
    await mine.fill("#who", "Both");
    await shared?.click("#greet");
    expect(await mine.locator("#out").textContent()).toBe("Hello Both");
    expect(await shared?.$eval("#out", (node) => node.textContent)).toBe("Hello Both");
  });

  it("keeps a client's logged objects, whatever others release", async () => {
    const [one, two] = [await stage.playwright(), await stage.puppeteer()];
    const mine = pageAt(one.contexts()[0], "/");
    const theirs = (await two.pages()).find((page) => page.url() === stage.site.url("/"));
    await theirs?.evaluate("1");
    const [message] = await Promise.all([
      mine.waitForEvent("console"),
      mine.evaluate("console.log({ deep: { x: 1 } })"),
    ]);
    // Nobody listens there, so Puppeteer has released the object before it sends this.
    await theirs?.evaluate("1");
    expect(await message.args()[0]?.jsonValue()).toEqual({ deep: { x: 1 } });
  });

  it("has one set of emulated settings per tab, and leaves other tabs alone", async () => {
    const [one, two] = [await stage.playwright(), await stage.puppeteer()];
    const theirs = (await two.pages()).find((page) => page.url() === stage.site.url("/"));
    const [shared, own] = [pageAt(one.contexts()[0], "/"), pageAt(one.contexts()[0], "/second")];
    await shared.evaluate("1");
    await theirs?.setViewport({ width: 640, height: 480 });
    expect(await theirs?.evaluate("innerWidth")).toBe(640);
    expect(await shared.evaluate("innerWidth")).toBe(640);
    expect(await own.evaluate("innerWidth")).not.toBe(640);
    await stage.disconnect();
    const after = pageAt((await stage.playwright()).contexts()[0], "/");
    await until(async () => (await after.evaluate("innerWidth")) !== 640);
  });

  it("shows a second client the frames and workers that the first found", async () => {
    const first = await stage.playwright();
    const page = pageAt(first.contexts()[0], "/");
    await page.goto(stage.site.url("/workers"));
    await page.waitForFunction("out.textContent !== ''");
    await until(() => page.workers().length === 1);
    const second = await stage.playwright();
    const again = pageAt(second.contexts()[0], "/workers");
    await again.evaluate("1");
    await until(() => again.workers().length === 1);
    expect(await again.workers()[0]?.evaluate("self.answer")).toBe(42);
    await again.goto(stage.site.url("/frames"));
    const far = await until(() => page.frames().find((frame) => frame.name() === "far"));
    expect(await far.evaluate("location.hostname")).toBe("localhost");
    await page.goto(stage.site.url("/"));
  });

  it("connects, works and disconnects 50 times without leaving anything behind", async () => {
    const worlds = async (): Promise<number> => {
      const direct = await stage.direct();
      const page = pageAt(direct.contexts()[0], "/");
      // Worlds live as long as their document; a script that was left behind would make them again.
      await page.reload();
      const session = await page.context().newCDPSession(page);
      let count = 0;
      session.on("Runtime.executionContextCreated", () => count++);
      await session.send("Runtime.enable");
      await stage.disconnect();
      return count;
    };
    for (let i = 0; i < 50; i++) {
      const browser = await stage.playwright();
      expect(await pageAt(browser.contexts()[0], "/").evaluate((n) => n, i)).toBe(i);
      await stage.disconnect();
    }
    await until(async () => (await stage.health()).clients === 0);
    await until(async () => (await attached()).length === 0);
    expect(await worlds()).toBeLessThan(10);
  });

  it("[REL-030] continues after the extension's worker was killed, with the tab still attached", async () => {
    const browser = await stage.playwright();
    const page = pageAt(browser.contexts()[0], "/");
    await page.evaluate("window.kept = 'yes'");
    for (let i = 0; i < 3; i++) {
      await stage.person.stopWorker();
      const started = Date.now();
      expect(await retried(() => page.evaluate("window.kept"))).toBe("yes");
      expect(Date.now() - started).toBeLessThan(quietTime(5_000));
      await page.goto(stage.site.url("/second"));
      await page.goto(stage.site.url("/"));
      await page.evaluate("window.kept = 'yes'");
    }
    expect(await attached()).toEqual([stage.site.url("/")]);
  });

  it("continues after the relay was restarted", async () => {
    const before = await stage.playwright();
    await pageAt(before.contexts()[0], "/").evaluate("window.kept = 1");
    await stage.restartHub();
    await stage.untilConnected();
    const after = await stage.playwright();
    expect(await pageAt(after.contexts()[0], "/").evaluate("window.kept")).toBe(1);
  });

  it("reports pages that no agent may open", async () => {
    const browser = await stage.playwright();
    const page = pageAt(browser.contexts()[0], "/second");
    await expect(page.goto("chrome://settings/")).rejects.toThrow(/page of the browser itself/);
    expect(await page.title()).toBe("Second");
  });

  it("enforces what the person allows: one site, or read-only, with an audit record", async () => {
    const allow = async (access: { level: string; site?: string }): Promise<void> => {
      await stage.person.inWorker(`chrome.storage.local.set({ access: ${JSON.stringify(access)} })`);
      await until(() => stage.hub.relay.person?.access.level === access.level);
    };
    const audit = (): string => auditText(dirname(stage.hub.tokenFile));
    const browser = await stage.playwright();
    const page = pageAt(browser.contexts()[0], "/blank");
    await page.evaluate("1");
    // The debugger leaves the tab and comes back when its access changes: a command in between fails for that reason.
    const refused = (url: string, reason: RegExp): Promise<unknown> =>
      until(async () => {
        const error = await page.goto(url).then(
          () => Promise.reject(new Error(`${url} was not refused`)),
          (thrown: unknown) => String(thrown),
        );
        return reason.test(error);
      });
    await allow({ level: "site", site: "127.0.0.1" });
    await refused("file:///etc/passwd", /locked to 127\.0\.0\.1/);
    await refused(stage.site.url("/", "localhost"), /locked to/);
    await until(() => audit().includes('"outcome":"forbidden_origin"'));
    await allow({ level: "read-only" });
    await refused(stage.site.url("/"), /access: read-only/);
    await until(() => audit().includes("read_only"));
    await allow({ level: "full" });
    await until(async () => (await page.goto(stage.site.url("/blank")).catch(() => undefined))?.ok());
  });

  it("never takes the focus: a new tab stays in the background", async () => {
    const active = (): Promise<string> =>
      stage.person.inWorker(
        "chrome.tabs.query({active: true}).then((tabs) => tabs.map((t) => t.url).join())",
      );
    const before = await active();
    const browser = await stage.playwright();
    const page = await browser.contexts()[0]?.newPage();
    await page?.goto(stage.site.url("/second"));
    const shot = await page?.screenshot();
    expect(shot?.length).toBeGreaterThan(500);
    expect(await active()).toBe(before);
    await page?.close();
  });
});

/** A command that was under way when the worker died says that its outcome is unknown; reading again is safe. */
async function retried<Value>(run: () => Promise<Value>): Promise<Value> {
  for (const ends = Date.now() + 5_000; ; ) {
    try {
      return await run();
    } catch (thrown) {
      const mayRepeat = /outcome unknown|Execution context was destroyed/.test(String(thrown));
      if (!mayRepeat || Date.now() > ends) throw thrown;
    }
  }
}
