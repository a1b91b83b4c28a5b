import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { browserActionTool, closeBrowserSession } from "@debug-bridge/runner";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findChrome } from "../../../packages/runner/src/chrome/find.js";
import { profileFolder } from "../../../packages/runner/src/chrome/profile.js";
import { mergeConfig } from "../../../packages/runner/src/config.js";
import { ActionLogs } from "../../../packages/runner/src/report/logs.js";
import { LaunchedPage } from "../../../packages/runner/src/session/launched-page.js";
import { until } from "../../fixtures.js";
import { chromeAt, gone, linesOf, processesAt, serve, stage } from "./stage.js";

const PAGE = `<!doctype html><title>Profile</title><button>Go</button><script>
document.cookie = "seen=1; max-age=1000"; localStorage.count = Number(localStorage.count ?? 0) + 1; console.log("count", localStorage.count, document.cookie);
</script>`;

const profileOf = (home: string): string => {
  const [project] = readdirSync(join(home, "projects"));
  return join(home, "projects", project as string, "browser");
};

/** The stack, if the caller of this timer is code of the runner and not of the Puppeteer that is bundled with it. */
function runnerStack(): string | undefined {
  const { stack = "" } = new Error("started here");
  const caller = stack
    .split("\n")
    .find((line) => /^ +at /.test(line) && !/sessions\.test|node_modules/.test(line));
  return caller?.includes("packages/runner/") && !caller.includes("/vendor/") ? stack : undefined;
}

/** Watches the timers that code of the runner starts. Returns the stacks of those that wait to fire. */
function runnerTimers(): () => string[] {
  const waiting = new Map<unknown, string>();
  const { setTimeout: set, setInterval: repeat, clearTimeout: clear } = globalThis;
  const spies = [
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ...rest: number[]) => {
      const timer = set(
        () => {
          waiting.delete(timer);
          run();
        },
        ...rest,
      );
      const stack = runnerStack();
      if (stack) waiting.set(timer, stack);
      return timer;
    }) as typeof setTimeout),
    vi.spyOn(globalThis, "setInterval").mockImplementation(((run: () => void, ...rest: number[]) => {
      const timer = repeat(run, ...rest);
      const stack = runnerStack();
      if (stack) waiting.set(timer, stack);
      return timer;
    }) as typeof setInterval),
    vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
      waiting.delete(timer);
      clear(timer);
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return () => [...waiting.values()];
}

describe("sessions", () => {
  it("of different clients are separate, and a new start closes the previous browser [RUN-003, RUN-004, RUN-023, RUN-024]", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    await on.run(`<type>start</type><url>${url}/</url>`, { sessionId: "a" });
    const first = chromeAt(on.home);
    expect(await on.run("<type>click</type><targets>Go</targets>", { sessionId: "a" })).toMatchObject({
      success: true,
      sessionId: "a",
    });
    expect(await on.run("<type>click</type><targets>Go</targets>", { sessionId: "b" })).toMatchObject({
      success: false,
      sessionId: "b",
      error: { code: "session_not_found" },
    });
    await on.run(`<type>start</type><url>${url}/</url>`, { sessionId: "b" });
    expect(on.sessions.active).toEqual(["b"]);
    expect(processesAt(on.home)).not.toContain(first);
    const second = chromeAt(on.home);
    await on.run(`<type>start</type><url>${url}/</url>`, { sessionId: "b" });
    expect(processesAt(on.home)).not.toContain(second);
    expect(await on.run("<type>click</type><targets>Go</targets>", { sessionId: "a" })).toMatchObject({
      success: false,
    });
  });

  it("run one at a time, including when a url implies the start", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    await on.run(`<type>diagnose</type><url>${url}/</url>`, { sessionId: "a" });
    const first = chromeAt(on.home);
    const second = await on.run(`<type>navigate</type><url>${url}/</url>`, { sessionId: "b" });
    expect(second).toMatchObject({ success: true });
    expect(on.sessions.active).toEqual(["b"]);
    expect(processesAt(on.home)).not.toContain(first);
  });

  it("have no timer that could end an idle browser [RUN-025]", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    await on.hub();
    const pending = runnerTimers();
    await on.run(`<type>start</type><url>${url}/</url>`);
    await on.run("<type>click</type><targets>Go</targets>");
    await until(() => pending().length === 0);
    expect(on.sessions.active).toEqual(["s"]);
    expect(chromeAt(on.home)).toBeGreaterThan(0);
  });

  it("end when their client disconnects [RUN-026]", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    await on.run(`<type>start</type><url>${url}/</url>`);
    await on.sessions.closeSession("s");
    await gone(on.home);
  });

  it("may be closed several times at once: the browser ends, and none of them fails [RUN-062]", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    await on.run(`<type>start</type><url>${url}/</url>`);
    await Promise.all([on.sessions.closeSession("s"), on.sessions.closeSession("s"), on.sessions.closeAll()]);
    await gone(on.home);
  });

  it("leave no listener behind [RUN-063]", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage({ tempProfile: true });
    const count = (): number =>
      process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    await on.run(`<type>start</type><url>${url}/</url>`);
    await on.run("<type>stop</type>");
    const before = count();
    for (let i = 0; i < 3; i++) {
      await on.run(`<type>start</type><url>${url}/</url>`);
      await on.run("<type>stop</type>");
    }
    expect(count()).toBe(before);
  });

  it("have their empty pages closed, but not those that a page has opened [RUN-034]", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    await on.run(`<type>start</type><url>${url}/</url>`);
    const opened = await on.run(
      "<type>evaluate</type><code>window.popup = open('about:blank'); Boolean(popup)</code>",
    );
    expect(opened.result).toEqual({ value: true });
    await on.run("<type>click</type><targets>Go</targets>");
    expect((await on.run("<type>evaluate</type><code>popup.closed</code>")).result).toEqual({ value: false });
    await on.sessions.closeAll();
    // A page that no other page opened and nobody uses.
    const options = { sessionId: "blank", hub: await on.hub() };
    const page = await LaunchedPage.open(mergeConfig({ tempProfile: true }), options, new ActionLogs());
    onTestFinished(() => page.close());
    const { browser } = page;
    await browser.newPage();
    expect(await browser.pages()).toHaveLength(2);
    expect(await page.isHealthy()).toBe(true);
    await until(async () => (await browser.pages()).length === 1);
    expect(page.lost).toBeUndefined();
  });
});

describe("a profile", () => {
  it("keeps cookies and storage from one start to the next [RUN-052, RUN-053]", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    const counts: string[] = [];
    for (let i = 0; i < 2; i++) {
      const response = await on.run(`<type>start</type><url>${url}/</url>`);
      counts.push(linesOf(response).find((line) => line.includes("console: count")) ?? "");
      await on.run("<type>stop</type>");
    }
    expect(counts).toEqual([
      expect.stringContaining("count 1 seen=1"),
      expect.stringContaining("count 2 seen=1"),
    ]);
    expect(profileOf(on.home)).toMatch(/projects\/shop-[0-9a-f]{8}\/browser$/);
  });

  it("with a stale lock is unlocked, and the launch succeeds [RUN-055, RUN-056]", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    await on.run(`<type>start</type><url>${url}/</url>`);
    process.kill(chromeAt(on.home), "SIGKILL");
    await gone(on.home);
    await on.sessions.closeAll();
    const lock = join(profileOf(on.home), "SingletonLock");
    expect(lstatSync(lock).isSymbolicLink()).toBe(true);
    const response = await on.run(`<type>start</type><url>${url}/</url>`);
    expect(response).toMatchObject({ success: true, result: { title: "Profile" } });
    expect(linesOf(response).join("\n")).toContain("removed the stale lock");
    const line = readFileSync(`/proc/${chromeAt(on.home)}/cmdline`, "utf8");
    expect(line).toContain("--hide-crash-restore-bubble");
  });

  it("that a running Chrome uses is left alone: the runner uses another one [RUN-057]", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    await on.run(`<type>start</type><url>${url}/</url>`);
    const other = stage();
    mkdirSync(join(other.home, "empty"));
    const holder = chromeAt(on.home);
    const response = await other.run(
      `<type>start</type><url>${url}/</url><userDataDir>${profileOf(on.home)}</userDataDir>`,
    );
    expect(response).toMatchObject({ success: true });
    expect(linesOf(response).join("\n")).toContain(`in use by process ${holder}`);
    expect(readlinkSync(join(profileOf(on.home), "SingletonLock"))).toContain(String(holder));
    expect(await on.run("<type>click</type><targets>Go</targets>")).toMatchObject({ success: true });
  });

  it("that is held by a Chrome whose runner is gone is unlocked [RUN-056]", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    const folder = profileFolder({ home: on.home, project: on.project });
    mkdirSync(folder, { recursive: true });
    const orphan = spawn(
      findChrome() as string,
      ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", `--user-data-dir=${folder}`],
      { stdio: "ignore" },
    );
    onTestFinished(() => void orphan.kill("SIGKILL"));
    const ended = once(orphan, "exit");
    const lock = join(folder, "SingletonLock");
    await until(() => lstatSync(lock, { throwIfNoEntry: false }) !== undefined);
    const runner = spawnSync(process.execPath, ["-e", ""]).pid;
    writeFileSync(
      join(folder, "debug-bridge-runner.json"),
      JSON.stringify({ runner, chrome: Number(readlinkSync(lock).split("-").at(-1)) }),
    );
    const response = await on.run(`<type>start</type><url>${url}/</url>`);
    expect(response).toMatchObject({ success: true, result: { title: "Profile" } });
    expect(linesOf(response).join("\n")).toContain("whose runner is gone");
    await ended;
    expect(readFileSync(`/proc/${chromeAt(on.home)}/cmdline`, "utf8")).toContain(folder);
  });

  it("is used without a sandbox when none is available, with a warning", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    const chromePath = join(on.home, "chrome");
    // As Chrome does where the system grants it none.
    writeFileSync(
      chromePath,
      `#!/bin/sh\ncase " $* " in *" --no-sandbox "*) exec "${findChrome()}" "$@";; esac\necho "No usable sandbox!" >&2\nexit 1\n`,
      { mode: 0o755 },
    );
    const user = vi.spyOn(process, "getuid").mockReturnValue(1000);
    onTestFinished(() => user.mockRestore());
    const response = await on.run(`<type>start</type><url>${url}/</url>`, { chromePath });
    expect(response).toMatchObject({ success: true, result: { title: "Profile" } });
    expect(linesOf(response).join("\n")).toContain("sandbox is not available here");
  });

  it("that is temporary is deleted afterwards [RUN-058]", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    await on.run(`<type>start</type><url>${url}/</url><tempProfile>true</tempProfile>`);
    expect(existsSync(join(on.home, "projects"))).toBe(false);
    expect(readdirSync(join(on.home, "tmp")).some((name) => name.startsWith("debug-bridge-profile-"))).toBe(
      true,
    );
    await on.run("<type>stop</type>");
    expect(
      readdirSync(join(on.home, "tmp")).filter((name) => name.startsWith("debug-bridge-profile-")),
    ).toEqual([]);
  });

  it("is never a person's own [RUN-054]", async () => {
    const on = stage();
    const response = await on.run(
      `<type>start</type><url>http://localhost:3000/</url><userDataDir>${process.env.HOME}/.config/chromium</userDataDir>`,
    );
    expect(response).toMatchObject({ success: false, error: { code: "not_supported" } });
  });
});

describe("the audit log", () => {
  it("has every action with its outcome, and not what was typed [RUN-127]", async () => {
    const url = await serve({ "/": `${PAGE}<input id="pw" type="password">` });
    const on = stage();
    await on.run(`<type>start</type><url>${url}/</url>`);
    const typed = await on.run("<type>type</type><selector>#pw</selector><text>hunter2</text>");
    expect(typed.success).toBe(true);
    expect(JSON.stringify(typed)).not.toContain("hunter2");
    await on.run("<type>click</type><selector>#nothing</selector>");
    const records = (): Record<string, unknown>[] =>
      readFileSync(join(on.home, "audit.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    await until(() => records().length === 3);
    expect(JSON.stringify(records())).not.toContain("hunter2");
    expect(records().map(({ what, outcome }) => `${what} ${outcome}`)).toEqual([
      "navigate done",
      "type done",
      "click target_not_found",
    ]);
    expect(records()[1]).toMatchObject({
      who: expect.stringContaining("browser_action"),
      session: "s",
      target: { selector: "#pw" },
      timestamp: expect.any(String),
    });
  });
});

describe("the tool", () => {
  it("is one definition, and answers with an ordinary tool result [RUN-001, RUN-002]", async () => {
    const url = await serve({ "/": PAGE });
    const { home, project, ...on } = stage();
    const hub = await on.hub();
    onTestFinished(() => closeBrowserSession("tool"));
    const { name, inputSchema, handler } = browserActionTool;
    expect(name).toBe("browser_action");
    const call = (instruction: string) =>
      handler(inputSchema.parse({ instruction }), { sessionId: "tool", hub, home, project });
    const started = await call(`<type>start</type><url>${url}/</url><screenshots>after</screenshots>`);
    expect(started.isError).toBe(false);
    expect(started.content.map(({ type }) => type)).toEqual(["text", "image"]);
    expect(JSON.parse((started.content[0] as { text: string }).text)).toMatchObject({
      success: true,
      sessionId: "tool",
    });
    const failed = await call("<type>click</type><targets>Nothing like this</targets>");
    expect(failed).toMatchObject({ isError: true, content: [{ type: "text" }] });
    await call("<type>stop</type>");
    await gone(home);
  });
});
