import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLI, runCli, type Started, start, startUp, temporaryFolder, until } from "../../fixtures.js";
import { quietTime } from "../../support/chrome/quiet-time.js";
import { hopWhile, usualDelay } from "../../support/machine/machine-delay.js";
import { ExtensionBrowser } from "../extension/extension-browser.js";
import { FakeHub } from "../extension/fake-hub.js";

let browser: ExtensionBrowser;
beforeAll(async () => {
  browser = await ExtensionBrowser.launch();
});
afterAll(() => browser.close());

interface Terminal {
  readonly shown: Started;
  readonly hub: string;
  readonly home: string;
  see(text: string): Promise<string>;
}

/** A hub, the real extension connected to it, and `debug-bridge console`, which follows. */
async function terminal(...args: string[]): Promise<Terminal> {
  const home = temporaryFolder();
  const { ready } = await startUp([], home);
  await browser.use(ready.console);
  const shown = start(process.execPath, [
    CLI,
    "console",
    "--since",
    "1h",
    "--follow",
    "--hub",
    ready.hub,
    "--home",
    home,
    ...args,
  ]);
  const see = async (text: string): Promise<string> => {
    await until(() => shown.output.stdout.includes(text));
    return shown.output.stdout;
  };
  return { shown, hub: ready.hub, home, see };
}

/** Processes that wait for their turn between a console call and the terminal, with some room. */
const PROCESSES = 8;
const CALLS = 50;

describe("the browser's console in the terminal", () => {
  it("shows the fastest quarter of events within 50 ms of their console calls, or on a busy machine within eight waits for a process [CON-073]", async () => {
    const { shown, see } = await terminal();
    await browser.run(`console.log("the terminal follows")`);
    await see("the terminal follows");
    const latencies: number[] = [];
    shown.child.stdout?.on("data", (data) => {
      for (const [, time] of String(data).matchAll(/called at (\d+)/g))
        latencies.push(Date.now() - Number(time));
    });
    await browser.run(`
      let calls = 0;
      const timer = setInterval(() => {
        console.log("called at " + Date.now());
        if (++calls === ${CALLS}) { clearInterval(timer); console.log("that was all"); }
      }, 50);`);
    const hop = await hopWhile(see("that was all"));
    // A busy machine delays every process that an event passes: page, browser, extension, hub, terminal.
    const limit = Math.max(quietTime(50), PROCESSES * hop);
    expect(latencies).toHaveLength(CALLS);
    expect(usualDelay(latencies)).toBeLessThan(limit);
  });

  it("shows every console method, from the first line of a page [ARC-093, CON-011…029]", async () => {
    const { see } = await terminal();
    await browser.run(`
      console.log("first", { id: 42, list: [1, 2] }); console.info("an info"); console.warn("a warning"); console.error(new TypeError("no foo"));
      console.debug("a debug"); console.trace("a trace"); console.table([{ name: "tea", price: 4.5 }]);
      console.group("Order"); console.log("inside"); console.groupEnd(); console.groupCollapsed("Folded"); console.groupEnd();
      console.count("clicks"); console.count("clicks"); console.countReset("clicks"); console.count("clicks");
      console.time("load"); console.timeLog("load"); console.timeEnd("load");
      console.assert(true, "never shown"); console.assert(1 === 2, "sums are off"); console.dir({ deep: true }); console.dirxml(document.body);
      console.clear(); console.log("the last %s of %d", "line", 20);`);
    const output = await see("the last line of 20");
    for (const part of [
      "first {id: 42, list: [1, 2]}",
      "ℹ an info",
      "▲ a warning",
      "TypeError: no foo",
      "a debug",
      "a trace",
      '│ 0       │ "tea" │ 4.5   │',
      "Order",
      "│ inside",
      "Folded",
      "sums are off",
      "deep: true",
      "<body>",
      "console was cleared",
    ]) {
      expect(output).toContain(part);
    }
    // The label counts from 1 again after countReset.
    expect(output.match(/clicks: \d/g)).toEqual(["clicks: 1", "clicks: 2", "clicks: 1"]);
    expect(output.match(/load: [\d.]+ ?ms/g)).toHaveLength(2);
    expect(output).not.toContain("never shown");
    expect(output.indexOf("first")).toBeLessThan(output.indexOf("an info"));
    expect(output).toMatch(/first .*:\d+:\d+\n/);
  });

  it("shows uncaught errors once, and no control characters [CON-078]", async () => {
    const { see } = await terminal("--errors");
    await browser.run(`
      console.log("not an error"); console.error("\\u001b[2J\\u001b]0;owned\\u0007still text");
      setTimeout(() => { throw new Error("thrown late") }); Promise.reject(new Error("rejected"));
      setTimeout(() => console.error("end of errors"), 100);`);
    const output = await see("end of errors");
    expect(output.match(/Uncaught Error: thrown late/g)).toHaveLength(1);
    expect(output.match(/thrown late/g)).toHaveLength(1);
    expect(output.match(/Uncaught \(in promise\) Error: rejected/g)).toHaveLength(1);
    expect(output.match(/rejected/g)).toHaveLength(1);
    expect(output).toContain("[2J]0;ownedstill text");
    expect(output).not.toContain("not an error");
    expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it("shows lines that travel in batches, above 50 a second, in order [CON-070]", async () => {
    const burst = (name: string): string => `for (let n = 0; n < 150; n++) console.log("${name} " + n + ";")`;
    const expected = Array.from({ length: 150 }, (_, i) => i);
    const recording = await FakeHub.start();
    await browser.use(recording.address);
    await until(() => recording.messages.length > 0);
    await browser.run(burst("recorded"));
    await recording.event("recorded 149;");
    expect(recording.frames.some((frame) => frame.startsWith("["))).toBe(true);
    await recording.close();

    const { see } = await terminal();
    await browser.run(burst("shown"));
    const output = await see("shown 149;");
    const shown = [...output.matchAll(/shown (\d+);/g)].map(([, n]) => Number(n));
    expect(shown).toEqual(expected);
  });

  it("shows each line once when the page also has the SDK", async () => {
    const { hub, home, see } = await terminal();
    const url = browser.serveHtml(
      "/both",
      `<!doctype html><title>Both</title><script src="${hub}/sdk.js" data-session="both"></script><body><script>
        setTimeout(() => { for (let i = 0; i < 20; i++) console.log("line " + i + ";"); console.warn("both are done"); }, 500);</script>`,
    );
    await browser.open(url);
    await see("both are done");
    const { stdout } = await until(async () => {
      const finished = await runCli(["console", "--since", "1h", "--hub", hub, "--home", home]);
      return finished.stdout.includes("both are done") && finished;
    });
    for (let i = 0; i < 20; i++) expect(stdout.split(`line ${i};`)).toHaveLength(2);
    expect(stdout.split("both are done")).toHaveLength(2);
  });

  it("reconnects after a restart of the hub, and loses nothing that was printed in between", async () => {
    const home = temporaryFolder();
    const first = await startUp([], home);
    await browser.use(first.ready.console);
    const page = await browser.run("console.log('before')");
    const lines = async (hub: string): Promise<string> =>
      (await runCli(["console", "--since", "1h", "--hub", hub, "--home", home])).stdout;
    await until(async () => (await lines(first.ready.hub)).includes("before"));
    first.child.kill("SIGKILL");
    await first.finished;
    await page.evaluate(() => console.log("meanwhile"));
    const port = new URL(first.ready.console).port;
    const second = await startUp(["--console-port", port], home);
    await until(async () => (await lines(second.ready.hub)).includes("meanwhile"), 40_000);
  });
});
