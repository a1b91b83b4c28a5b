import { describe, expect, it } from "vitest";
import { CLI, type Finished, runCli, temporaryFolder, until } from "../../fixtures.js";
import { startModelServer } from "../../support/agents/model-server.js";
import { type ChatHub, startChatHub } from "../../support/chat/chat.js";
import { answer, hello } from "../../support/hub/hub.js";
import { WireClient } from "../../support/hub/wire-client.js";
import { startPty } from "../../support/machine/pty.js";

const SITE = "http://localhost:3000";

/** A hub with an app, and the reference agent, which clicks in it once for each message. */
async function stage(): Promise<{
  hub: ChatHub;
  clicks: unknown[];
  say(...args: string[]): Promise<Finished>;
}> {
  const click = { tool: "act", input: { type: "click", target: { text: "Save" } } };
  const model = await startModelServer((request) =>
    request.includes('"role":"tool"') ? { text: "That is all." } : click,
  );
  const env = { DEBUG_BRIDGE_MODEL: "stand-in", DEBUG_BRIDGE_MODEL_URL: `${model.url}/v1` };
  const hub = await startChatHub(temporaryFolder(), { env });
  const app = await WireClient.connect(hub.url, {
    role: "app",
    sessionId: "shop",
    headers: { origin: SITE },
  });
  const clicks: unknown[] = [];
  answer(app, ({ type, target }) => {
    if (type === "click") clicks.push(target);
    return {};
  });
  app.send(hello);
  return {
    ...{ hub, clicks },
    say: (...args) =>
      runCli(["chat", "--provider", "reference", ...args, "Save it"], { DEBUG_BRIDGE_HOME: hub.home }),
  };
}

describe("debug-bridge chat, when the agent wants to act on a site", () => {
  it("refuses without a terminal, names the option that allows it, and obeys that option", async () => {
    const { clicks, say } = await stage();
    const refused = await say();
    expect(refused.stderr).toContain(`--approve ${SITE} or --approve all`);
    expect(refused.stdout).toContain("That is all.");
    expect((await say("--approve", "http://localhost:4000")).stderr).toContain("refused");
    expect(clicks).toEqual([]);
    expect((await say("--approve", SITE)).stderr).not.toContain("refused");
    const events = (await say("--json", "--approve", "all")).stdout.trim().split("\n");
    const statuses = events.map((line) => JSON.parse(line)).filter(({ event }) => event === "run.approval");
    expect(statuses.map(({ payload }) => payload.status)).toEqual(["waiting", "allowed"]);
    expect(clicks).toHaveLength(2);
    expect((await say("--approve", "everything")).code).not.toBe(0);
  });

  it("asks in the terminal, and remembers what is always allowed", async () => {
    const { hub, clicks, say } = await stage();
    const terminal = startPty(`"${process.execPath}" "${CLI}" chat --provider reference "Save it"`, {
      DEBUG_BRIDGE_HOME: hub.home,
    });
    await until(() => terminal.raw().includes("a (always on this site)"));
    expect(terminal.raw()).toContain(`act on ${SITE}: click "Save"`);
    terminal.type("what?\r");
    terminal.type("a\r");
    expect(await terminal.code).toBe(0);
    expect(clicks).toHaveLength(1);
    expect(await hub.json("/v1/chat-approvals")).toMatchObject({ approvals: [{ origin: SITE }] });
    expect((await say()).stderr).not.toContain("refused");
    expect(clicks).toHaveLength(2);
    const approvals = (...args: string[]): Promise<Finished> =>
      runCli(["chat", "approvals", ...args], { DEBUG_BRIDGE_HOME: hub.home });
    expect((await approvals()).stdout).toContain(SITE);
    expect(await approvals("--forget", "http://localhost:9")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("debug-bridge chat approvals"),
    });
    expect(JSON.parse((await approvals("--json", "--forget", SITE)).stdout)).toEqual({ approvals: [] });
    expect((await say()).stderr).toContain("refused");
    expect(clicks).toHaveLength(2);
  });
});
