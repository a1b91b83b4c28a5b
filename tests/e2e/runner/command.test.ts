import { spawn } from "node:child_process";
import { join } from "node:path";
import type { BrowserResponse } from "@debug-bridge/protocol";
import { browserResponseSchema } from "@debug-bridge/protocol/schemas";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, type Finished, runCli, startUp, temporaryFolder, until } from "../../fixtures.js";
import { startPty } from "../../support/machine/pty.js";
import { gone, processesAt, serve } from "./stage.js";

const PAGE = `<!doctype html><title>Shop</title><button onclick="missing()">Buy</button><script>console.warn("careful"); console.info("hello")</script>`;

/** Runs `debug-bridge browser` with its input left open. */
function browser(args: string[], env: Record<string, string> = {}) {
  const home = temporaryFolder();
  const child = spawn(process.execPath, [CLI, "browser", ...args, "--home", home], {
    env: { ...process.env, NO_COLOR: "1", TMPDIR: home, ...env },
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => (output.stdout += data));
  child.stderr.on("data", (data) => (output.stderr += data));
  const finished = new Promise<Finished>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, ...output })),
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await gone(home);
  });
  return { home, child, output, finished };
}

it("answers a person on a terminal with text, and with JSON on request", async () => {
  const url = await serve({ "/": PAGE });
  const home = temporaryFolder();
  const run = async (...more: string[]): Promise<string> => {
    const words = [process.execPath, CLI, "browser", "--own", "--temp-profile", "--home", home, ...more];
    const instruction = `'<type>diagnose</type><url>${url}</url>'`;
    const terminal = startPty(`${words.join(" ")} ${instruction}`, { TMPDIR: home }, 200, 50);
    await terminal.code;
    return terminal.raw();
  };
  const text = await run("--quiet");
  expect(text).toContain("button");
  expect(text).not.toContain('{"success"');
  expect(await run("--quiet", "--json")).toContain('{"success":true');
  await gone(home);
});

const answers = (text: string): BrowserResponse[] =>
  text
    .trim()
    .split("\n")
    .map((line) => browserResponseSchema.parse(JSON.parse(line)));

const element = (fields: string): string => `<browser_action>${fields}</browser_action>`;

describe("debug-bridge browser", () => {
  it("runs one action from its argument, prints one line of JSON, and leaves nothing running [ARC-098]", async () => {
    const url = await serve({ "/": PAGE });
    const { home, child, finished } = browser([
      element(`<type>start</type><url>${url}/</url>`),
      "--session",
      "mine",
    ]);
    child.stdin.end();
    const { code, stdout, stderr } = await finished;
    expect(code).toBe(0);
    expect(answers(stdout)).toMatchObject([{ success: true, sessionId: "mine", result: { title: "Shop" } }]);
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("browser:warn careful");
    expect(stderr).toContain("browser:info hello");
    await gone(home);
  });

  it("fails with code 1 and the reason in both places [RUN-126]", async () => {
    const { child, finished } = browser(["<type>navigate</type><url>nowhere</url>"]);
    child.stdin.end();
    const { code, stdout, stderr } = await finished;
    expect(code).toBe(1);
    const [answer] = answers(stdout);
    expect(answer).toMatchObject({ success: false, error: { code: "invalid_message" } });
    expect(stderr).toContain(`error ${answer?.error?.message.split(".")[0]}`);
  });

  it("takes a stream, one line for each element, with one browser, which ends with it [RUN-026, ARC-098]", async () => {
    const url = await serve({ "/": PAGE });
    const { home, child, output, finished } = browser(["-"]);
    child.stdin.write(element(`<type>start</type><url>${url}/</url>`));
    await until(() => output.stdout.split("\n").length === 2);
    expect(processesAt(home).length).toBeGreaterThan(0);
    child.stdin.write(`${element("<type>click</type><targets>Buy</targets>")}\nnoise `);
    child.stdin.write("<browser_action action='evaluate' code='1 + 1' />");
    child.stdin.end();
    const { code, stdout, stderr } = await finished;
    expect(answers(stdout)).toMatchObject([
      { success: true },
      { success: true, metrics: { jsErrors: 1 } },
      { success: false, error: { code: "invalid_message" } },
      { success: true, result: { value: 2 } },
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/browser:error .*missing is not defined/);
    await gone(home);
  });

  it("colours its output by level [RUN-124, RUN-125]", async () => {
    const url = await serve({ "/": `${PAGE}<script>console.debug("detail")</script>` });
    const { child, output, finished } = browser(["-"], { NO_COLOR: "", FORCE_COLOR: "1" });
    child.stdin.write(element(`<type>start</type><url>${url}/</url>`));
    child.stdin.end(element("<type>click</type><targets>Buy</targets>"));
    await finished;
    expect(output.stderr).toContain("\u001b[31mbrowser:error\u001b[39m");
    expect(output.stderr).toContain("\u001b[33mbrowser:warn\u001b[39m careful");
    expect(output.stderr).toContain("\u001b[34mbrowser:info\u001b[39m hello");
    expect(output.stderr).toContain("\u001b[32mbrowser:debug\u001b[39m detail");
  });

  it("uses the browser of the hub that runs, from one call to the next, and leaves it there", async () => {
    const url = await serve({ "/": PAGE });
    const up = await startUp();
    const home = join(up.ready.tokenFile, "..");
    onTestFinished(() => gone(home).then(() => {}));
    const call = (xml: string) => runCli(["browser", xml, "--hub", up.ready.hub, "--home", home]);
    const started = await call(element(`<type>start</type><url>${url}/</url>`));
    expect(started.code).toBe(0);
    expect(started.stderr).toContain("browser:warn careful");
    const clicked = await call("<type>click</type><targets>Buy</targets>");
    expect(answers(clicked.stdout)).toMatchObject([
      { success: true, sessionId: "browser", receipt: { settled: true } },
    ]);
    expect(
      JSON.parse((await runCli(["sessions", "--json", "--hub", up.ready.hub, "--home", home])).stdout),
    ).toMatchObject({
      sessions: [{ id: "browser", kind: "browser", connected: true }],
    });
    expect((await call("<type>stop</type>")).code).toBe(0);
    up.child.kill("SIGTERM");
    await up.finished;
  });

  it("answers each instruction of a stream, including those after the hub went away", async () => {
    const up = await startUp();
    const { child, output, finished } = browser(["-", "--quiet", "--hub", up.ready.hub]);
    const lines = (): number => output.stdout.split("\n").length - 1;
    child.stdin.write(element("<type>nothing</type>"));
    await until(() => lines() === 1);
    up.child.kill("SIGKILL");
    await up.finished;
    for (const count of [2, 3]) {
      child.stdin.write(element("<type>screenshot</type>"));
      await until(() => lines() === count);
    }
    child.stdin.end();
    expect((await finished).code).toBe(1);
    expect(answers(output.stdout).slice(1)).toMatchObject([
      { success: false, error: { code: "app_not_connected" } },
      { success: false, error: { code: "app_not_connected" } },
    ]);
  });

  it.each(["SIGKILL", "SIGTERM"] as const)("ends its browser when it is ended by %s", async (signal) => {
    const url = await serve({ "/": PAGE });
    const { home, child, output, finished } = browser(["-", "--quiet", "--temp-profile"]);
    child.stdin.write(element(`<type>start</type><url>${url}/</url>`));
    await until(() => output.stdout.includes("\n"));
    expect(output.stderr).toBe("");
    child.kill(signal);
    await finished;
    await gone(home);
  });
});
