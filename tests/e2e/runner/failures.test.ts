import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findChrome } from "../../../packages/runner/src/chrome/find.js";
import { profileFolder } from "../../../packages/runner/src/chrome/profile.js";
import { until } from "../../fixtures.js";
import { selfSigned } from "../../support/hub/self-signed.js";
import { chromeAt, closedPort, gone, linesOf, processesAt, serve, stage } from "./stage.js";

const start = (url: string, more = ""): string => `<type>start</type><url>${url}</url>${more}`;
const OK = "<title>Fine</title><button>Go on</button>";

const isRenderer = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer");
  } catch {
    return false;
  }
};

describe("a page that throws", () => {
  it("is shown, and its errors are reported with mapped stacks and hints [RUN-013, RUN-040]", async () => {
    const map = {
      version: 3,
      sources: ["src/cart.ts"],
      names: [],
      // Generated line 1 is line 3 of the source.
      mappings: "AAEA",
    };
    const script = `cartTotal();\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString("base64")}`;
    const url = await serve({
      "/": `${OK}<script src="/app.js"></script><script>Promise.reject(new Error("late"))</script>`,
      "/app.js": script,
    });
    const response = await stage().run(start(`${url}/`));
    expect(response).toMatchObject({ success: true, metrics: { jsErrors: 2 }, state: { totalErrors: 2 } });
    const error = response.logs.find(
      ({ message }) => message.includes("cartTotal is not defined") && message.startsWith("Uncaught"),
    );
    expect(error).toMatchObject({ type: "error", source: "browser", category: "javascript", severity: 4 });
    expect(error?.stack).toContain("src/cart.ts:3");
    expect(linesOf(response).join("\n")).toContain('"cartTotal" is used before it exists');
    expect(linesOf(response).join("\n")).toContain("Unhandled rejection: late");
    expect(response.next?.[0]).toContain("diagnose");
  });
});

describe("a page that cannot be opened", () => {
  it("with a bad certificate is refused with advice [RUN-042]", async () => {
    const server = createSecureServer(selfSigned(), (_, response) => response.end(OK));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const response = await stage().run(start(`https://localhost:${(server.address() as AddressInfo).port}/`));
    expect(response).toMatchObject({
      success: false,
      error: { code: "navigation_failed", details: { category: "network", cause: "certificate" } },
    });
    expect(response.error?.message).toContain("ERR_CERT");
    expect(response.error?.hint).toContain("SSL/TLS certificate");
  });

  it("on a closed port gets a hint to start the server, which is not started for the user [RUN-041, RUN-047, RUN-048]", async () => {
    const on = stage();
    const proof = join(on.home, "started");
    writeFileSync(join(on.project, "package.json"), JSON.stringify({ scripts: { dev: `touch ${proof}` } }));
    const response = await on.run(start(`http://localhost:${await closedPort()}/`));
    expect(response).toMatchObject({
      success: false,
      error: { code: "navigation_failed", details: { cause: "server-not-running" } },
    });
    expect(response.error?.hint).toMatch(/new terminal tab.*`npm run dev`.*do not start it for them/);
    expect(existsSync(proof)).toBe(false);
    expect(response.networkEvents.find(({ errorText }) => errorText?.includes("REFUSED"))).toBeDefined();
    expect(response.metrics?.networkErrors).toBe(1);
  });

  it("under an unknown name is reported as a DNS problem [RUN-041]", async () => {
    const response = await stage().run(start("http://no-such-host.invalid/"));
    expect(response).toMatchObject({ success: false, error: { details: { cause: "dns" } } });
  });

  it("that never answers times out, and the next action works [RUN-044]", async () => {
    const url = await serve({ "/": () => {}, "/ok": OK });
    const on = stage();
    const response = await on.run(start(`${url}/`, "<timeoutMs>400</timeoutMs>"));
    expect(response).toMatchObject({
      success: false,
      error: { code: "timeout", details: { cause: "navigation-timeout" } },
    });
    expect(response.error?.hint).toContain("timeoutMs");
    expect(
      await on.run(`<type>navigate</type><url>${url}/ok</url><timeoutMs>15000</timeoutMs>`),
    ).toMatchObject({
      success: true,
      result: { title: "Fine" },
    });
  });

  it("that redirects in a loop is reported as such [RUN-046]", async () => {
    const url = await serve({
      "/": (_, response) => response.writeHead(302, { location: "/b" }).end(),
      "/b": (_, response) => response.writeHead(302, { location: "/" }).end(),
    });
    const response = await stage().run(start(`${url}/`, "<totalErrorThreshold>100</totalErrorThreshold>"));
    expect(response).toMatchObject({ success: false, error: { details: { cause: "redirect-loop" } } });
    expect(response.networkEvents.filter(({ status }) => status === 302).length).toBeGreaterThan(3);
  });

  it("that is a download or breaks off is reported as such [RUN-046]", async () => {
    const url = await serve({
      "/file": (_, response) =>
        response.writeHead(200, { "content-disposition": "attachment; filename=a.txt" }).end("x"),
      "/cut": (request) => request.socket.destroy(),
    });
    const on = stage();
    expect(await on.run(start(`${url}/file`))).toMatchObject({
      success: false,
      error: { details: { cause: "aborted" } },
    });
    expect(await on.run(`<type>navigate</type><url>${url}/cut</url>`)).toMatchObject({
      success: false,
      error: { details: { cause: "connection-lost" } },
    });
  });

  it("that holds resources which fail is shown, with a hint for them [RUN-012, RUN-043]", async () => {
    const url = await serve({
      "/": `${OK}<img src="/missing.png"><script src="http://localhost:${await closedPort()}/a.js"></script>`,
    });
    const response = await stage().run(start(`${url}/`));
    expect(response).toMatchObject({ success: true, metrics: { networkErrors: 2, jsErrors: 0 } });
    const image = response.networkEvents.find((event) => event.url.endsWith("/missing.png"));
    expect(image).toMatchObject({
      method: "GET",
      status: 404,
      resourceType: "image",
      durationMs: expect.any(Number),
    });
    const ids = response.networkEvents.map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(ids.length);
    const lines = linesOf(response).filter((line) => line.includes("missing.png"));
    expect(lines.filter((line) => line.startsWith("browser"))).toHaveLength(1);
    expect(linesOf(response).join("\n")).toContain("A resource of the page failed to load");
  });
});

describe("a browser that is lost", () => {
  it("by SIGKILL is started again at the same page, and the action is done there [RUN-035, RUN-036]", async () => {
    const url = await serve({ "/": OK });
    const on = stage();
    await on.run(start(`${url}/`));
    const pid = chromeAt(on.home);
    process.kill(pid, "SIGKILL");
    const response = await on.run("<type>click</type><targets>Go on</targets>");
    expect(response).toMatchObject({ success: true, receipt: { settled: true } });
    expect(linesOf(response).join("\n")).toContain("the browser is started again");
    expect(chromeAt(on.home)).not.toBe(pid);
  });

  it("in the middle of an action is started again, and the action is tried again [RUN-031, RUN-032]", async () => {
    const url = await serve({ "/": OK });
    const on = stage({ retryDelay: 300 });
    await on.run(start(`${url}/`));
    const pid = chromeAt(on.home);
    const startedAt = performance.now();
    const answer = on.run("<type>wait</type><ms>3000</ms>");
    setTimeout(() => process.kill(pid, "SIGKILL"), 1_000);
    const response = await answer;
    expect(response.success).toBe(true);
    expect(linesOf(response).join("\n")).toContain("wait is tried again (1 of 3)");
    expect(performance.now() - startedAt).toBeGreaterThan(1_000 + 300 + 3_000);
  });

  it("invalidates its refs: none of them acts on another element afterwards", async () => {
    const url = await serve({ "/": OK });
    const on = stage();
    await on.run(start(`${url}/`));
    const first = await on.run("<type>click</type><targets>Go on</targets>");
    const { ref } = (first.result as { choice: { ref: string } }).choice;
    process.kill(chromeAt(on.home), "SIGKILL");
    expect(await on.run(`<type>click</type><ref>${ref}</ref>`)).toMatchObject({
      success: false,
      error: { code: "stale_ref" },
    });
  });

  it("by a person who closes it is started again for the next action [RUN-037]", async () => {
    const url = await serve({ "/": OK });
    const on = stage();
    await on.run(start(`${url}/`));
    const pid = chromeAt(on.home);
    process.kill(pid, "SIGTERM");
    await until(() => !processesAt(on.home).includes(pid));
    expect(await on.run("<type>click</type><targets>Go on</targets>")).toMatchObject({ success: true });
    expect(chromeAt(on.home)).not.toBe(pid);
  });

  it("by a person who closes only its tab is started again [RUN-037]", async () => {
    const url = await serve({ "/": OK });
    const on = stage();
    const chromePath = join(on.home, "chrome");
    // The runner's own Chrome has no port: this one has one, so that the test can close the tab.
    writeFileSync(chromePath, `#!/bin/sh\nexec "${findChrome()}" --remote-debugging-port=0 "$@"\n`, {
      mode: 0o755,
    });
    expect(await on.run(start(`${url}/`), { chromePath })).toMatchObject({ success: true });
    const profile = profileFolder({ home: on.home, project: on.project });
    const port = readFileSync(join(profile, "DevToolsActivePort"), "utf8").split("\n")[0];
    const list = `http://127.0.0.1:${port}/json`;
    const tabs = async (): Promise<{ id: string }[]> => {
      const all = (await (await fetch(list)).json()) as { id: string; type: string }[];
      return all.filter(({ type }) => type === "page");
    };
    const [tab, ...others] = await tabs();
    expect(others).toEqual([]);
    await fetch(`${list}/close/${tab?.id}`);
    // The answer comes before the tab is closed. With its last tab the browser may end as well.
    await until(async () => (await tabs().catch(() => [])).length === 0);
    const response = await on.run("<type>click</type><targets>Go on</targets>");
    expect(response).toMatchObject({ success: true });
    expect(linesOf(response).join("\n")).toContain("the browser is started again");
  });

  it("while a frame is loading is started again, and the action repeated [RUN-038]", async () => {
    let visits = 0;
    const on = stage();
    const url = await serve({
      "/": OK,
      "/slow": (_, response) => {
        if (visits++ === 0) process.kill(chromeAt(on.home), "SIGTERM");
        else response.setHeader("content-type", "text/html").end(OK);
      },
    });
    await on.run(start(`${url}/`));
    const response = await on.run(`<type>navigate</type><url>${url}/slow</url>`);
    expect(response).toMatchObject({ success: true, result: { title: "Fine" } });
    expect(visits).toBe(2);
    expect(linesOf(response).join("\n")).toMatch(
      /(detached|closed|ended).*navigate is tried again \(1 of 3\)/,
    );
  });

  it("in only one of its frames is reported as that frame's crash", async () => {
    const frame = "<button onmousedown='parent.document.querySelector(`iframe`).remove()'>Leave</button>";
    const url = await serve({ "/": `${OK}<iframe srcdoc="${frame.replace(/"/g, "&quot;")}"></iframe>` });
    const on = stage();
    await on.run(start(`${url}/`));
    const response = await on.run("<type>click</type><targets>Leave</targets>");
    const frames = await on.run(
      "<type>evaluate</type><code>document.querySelectorAll('iframe').length</code>",
    );
    expect(frames.result).toEqual({ value: 0 });
    expect(response).toMatchObject({
      success: true,
      receipt: { vanished: [{ role: "button", name: "Leave" }] },
    });
    expect(await on.run("<type>click</type><targets>Leave</targets>")).toMatchObject({
      success: false,
      error: { code: "target_not_found" },
    });
  });

  it("by a renderer that always crashes is retried as often as allowed, later each time, and then reported as a failure [RUN-031, RUN-154]", async () => {
    const on = stage({ maxRetries: 2, retryDelay: 800 });
    const tries: number[] = [];
    const url = await serve({
      "/": OK,
      "/crash": (_, response) => {
        tries.push(Date.now());
        response.setHeader("content-type", "text/html").end(OK);
        for (const pid of processesAt(on.home).filter(isRenderer)) process.kill(pid, "SIGKILL");
      },
    });
    const response = await on.run(start(`${url}/crash`));
    expect(response).toMatchObject({
      success: false,
      error: { code: "outcome_unknown", details: { cause: "renderer-crash" } },
    });
    expect(linesOf(response).filter((line) => line.includes("tried again"))).toHaveLength(2);
    const [first = 0, second = 0, third = 0] = tries;
    // At least half of the delay, which doubles.
    expect(second - first).toBeGreaterThanOrEqual(400);
    expect(third - second).toBeGreaterThanOrEqual(800);
    expect(await on.run(`<type>navigate</type><url>${url}/</url>`)).toMatchObject({ success: true });
  });

  it("while a click runs answers outcome_unknown, and the click is not repeated", async () => {
    const on = stage();
    let clicks = 0;
    const url = await serve({
      "/": `${OK}<script>document.querySelector("button").onclick = () => { fetch("/clicked"); }</script>`,
      "/clicked": (_, response) => {
        clicks++;
        process.kill(chromeAt(on.home), "SIGKILL");
        response.end();
      },
    });
    await on.run(start(`${url}/`));
    const response = await on.run("<type>click</type><targets>Go on</targets>");
    expect(response).toMatchObject({ success: false, error: { code: "outcome_unknown" } });
    expect(linesOf(response).join("\n")).not.toContain("tried again");
    expect(clicks).toBe(1);
    // The next action runs in a new browser.
    expect(await on.run("<type>screenshot</type>")).toMatchObject({ success: true });
    expect(clicks).toBe(1);
  });

  it("is not tried again for an error that is not listed [RUN-033]", async () => {
    const url = await serve({ "/": OK });
    const on = stage();
    await on.run(start(`${url}/`, '<retryOnErrors>["something else"]</retryOnErrors>'));
    const pid = chromeAt(on.home);
    const answer = on.run("<type>wait</type><ms>5000</ms>");
    setTimeout(() => process.kill(pid, "SIGKILL"), 1_000);
    const response = await answer;
    expect(response).toMatchObject({ success: false, error: { code: "outcome_unknown" } });
    expect(linesOf(response).join()).not.toContain("tried again");
    // What a page's own code throws is no reason, either, whatever it says.
    const thrown = await on.run("<type>evaluate</type><code>throw new Error('Session closed')</code>");
    expect(linesOf(thrown).join()).not.toContain("tried again");
  });

  it("by a script in an endless loop is reported in time, and started again", async () => {
    const url = await serve({ "/": OK });
    const on = stage();
    await on.run(start(`${url}/`, "<timeoutMs>6000</timeoutMs>"));
    const response = await on.run("<type>evaluate</type><code>for (;;) {}</code>");
    expect(response).toMatchObject({
      success: false,
      error: { code: "timeout", details: { cause: "hanging" } },
    });
    expect(await on.run("<type>click</type><targets>Go on</targets>")).toMatchObject({ success: true });
  });
});

describe("too many errors", () => {
  it("in a row shut the browser down at the third [RUN-028, RUN-061]", async () => {
    const url = await serve({ "/": OK });
    const on = stage();
    await on.run(start(`${url}/`));
    const miss = "<type>click</type><targets>Not there at all</targets>";
    expect((await on.run(miss)).shutdown).toBeUndefined();
    expect((await on.run(miss)).state?.consecutiveErrors).toBe(2);
    const third = await on.run(miss);
    expect(third.shutdown).toContain("3 actions failed in a row");
    await gone(on.home);
    expect(await on.run(miss)).toMatchObject({ error: { code: "session_not_found" } });
  });

  it("in total shut it down at the tenth, whatever their kind [RUN-008, RUN-029]", async () => {
    const url = await serve({
      "/": `${OK}<script>onclick = () => { for (let i = 0; i < 4; i++) setTimeout(() => { throw new Error("e" + i) }); }</script>`,
    });
    const on = stage();
    await on.run(start(`${url}/`));
    const click = "<type>click</type><targets>Go on</targets>";
    await on.run(click);
    expect((await on.run(click)).state?.totalErrors).toBe(8);
    const last = await on.run(click);
    expect(last.shutdown).toContain("errors in all");
    expect(last.success).toBe(true);
    await gone(on.home);
  });

  it("are counted up to the limits in the instruction [RUN-030]", async () => {
    const url = await serve({ "/": OK });
    const on = stage();
    await on.run(start(`${url}/`, "<maxConsecutiveErrors>1</maxConsecutiveErrors>"));
    expect((await on.run("<type>click</type><targets>Not there</targets>")).shutdown).toBeDefined();
    expect(processesAt(on.project)).toEqual([]);
  });
});
