import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { runCli, startUp, temporaryFolder } from "../../fixtures.js";

const START = (hub: string): string =>
  JSON.stringify({
    sessionId: "shop",
    instruction: `<type>start</type><url>${hub}/demo/</url>`,
  });

async function hubWithBrowser(): Promise<{ hub: string; home: string; token: string }> {
  const home = temporaryFolder();
  const { ready } = await startUp(["--demo"], home);
  const token = readFileSync(ready.tokenFile, "utf8").trim();
  const response = await fetch(`${ready.hub}/v1/browser-action`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: START(ready.hub),
  });
  expect(await response.json()).toMatchObject({ success: true });
  return { hub: ready.hub, home, token };
}

test("[ARC-097] observe, act, logs, eval and screenshot do in a shell what the MCP tools do", async () => {
  const { hub, home } = await hubWithBrowser();
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCli([...args, "--hub", hub, "--home", home]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return stdout;
  };
  expect(await run("observe", "shop")).toMatch(/e\d+ button/);
  const { text } = JSON.parse(await run("observe", "shop", "maxTokens=300", "--json")) as { text: string };
  const ref = /(e\d+) button/.exec(text)?.[1];
  expect(await run("act", "shop", "type=click", `target={"ref":"${ref}"}`)).toContain("settled after");
  expect(await run("act", "shop", "hover", ref as string)).toContain("settled after");
  const actions = JSON.stringify([
    { type: "hover", target: { ref } },
    { type: "press", key: "Escape" },
  ]);
  expect(await run("act", "shop", `actions=${actions}`)).toMatch(/1: done\n2: /);
  expect(await run("eval", "shop", "code=1 + 1")).toContain("2\n");
  expect(await run("eval", "shop", "document.title")).toContain("Corner shop");
  expect(await run("logs", "shop", 'types=["navigation"]')).toContain(`now at ${hub}/demo/`);
  const picture = join(home, "shop.jpg");
  expect(await run("screenshot", "shop", "--out", picture)).toBe(`${picture}\n`);
  expect(readFileSync(picture).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
});

test("[ARC-097] a wrong call explains what is wrong, and a refusal has its own exit code", async () => {
  const { hub, home } = await hubWithBrowser();
  const run = (...args: string[]) => runCli([...args, "--hub", hub, "--home", home]);
  const wrong = await run("act", "shop", "type=fly");
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('unknown action "fly"; use click');
  for (const words of [["click"], ["type", "e1"], ["type=press"], [], ['actions=[{"type":"click"}]']])
    expect(await run("act", "shop", ...words), words.join(" ")).toMatchObject({ code: 2 });
  expect(await run("find", "session=shop")).toMatchObject({ code: 2 });
  const bare = await run("act", "shop", "type=click", "Save");
  expect(bare.stderr).toContain('unexpected argument "Save"; the fields are type, target');
  const missing = await run("act", "shop", "type=click", 'target={"text":"No such thing"}');
  expect(missing).toMatchObject({ code: 1 });
  expect(missing.stderr).toContain("No such thing");
  const nowhere = await run("observe", "elsewhere");
  expect(nowhere).toMatchObject({ code: 1 });
});

test("[ARC-092] mcp --http serves the same tools as a path of the hub, to clients with the token", async () => {
  const { hub, home, token } = await hubWithBrowser();
  const { stdout } = await runCli(["mcp", "--http", "--hub", hub, "--home", home]);
  const address = stdout.split(" ")[0] as string;
  expect(address).toBe(`${hub}/mcp`);
  expect((await fetch(address, { method: "POST", body: "{}" })).status).toBe(401);

  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const { content } = await client.callTool({ name: "observe", arguments: { session: "shop" } });
  expect(JSON.stringify(content)).toMatch(/e\d+ button/);
});
