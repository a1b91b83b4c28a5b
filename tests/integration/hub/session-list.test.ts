import { expect, it } from "vitest";
import { runCli, until } from "../../fixtures.js";
import { busyTurns, startAgent } from "../../support/agents/agents.js";
import { hello, testHub } from "../../support/hub/hub.js";
import { FakeExtension, tab } from "../relay/fake-extension.js";

it("lists the sessions of every kind with sessions --json [ARC-094]", async () => {
  const hub = await testHub();
  const app = await hub.app("shop");
  app.send(hello);
  await FakeExtension.connect(hub.relayUrl, [tab(1)]);
  const launched = hub.joinAsApp("launched", { kind: "browser" });
  launched.send(
    JSON.stringify({
      ...hello,
      kind: "browser",
      sessionId: "launched",
      origin: "app",
      timestamp: Date.now(),
    }),
  );
  const agent = await startAgent(hub.home, busyTurns(1_000), ["--pause"]);
  const kinds = await until(async () => {
    const { stdout } = await runCli(["sessions", "--json", "--hub", hub.url, "--home", hub.home]);
    const { sessions } = JSON.parse(stdout) as { sessions: { id: string; kind: string }[] };
    return sessions.length >= 4 && sessions;
  });
  expect(Object.fromEntries(kinds.map(({ id, kind }) => [kind, id]))).toEqual({
    app: "shop",
    tab: expect.any(String),
    browser: "launched",
    agent: agent.id,
  });
});
