import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, until } from "../../fixtures.js";
import { codexStandIn } from "../../support/agents/codex-stand-in.js";
import { payloads, startChatHub } from "../../support/chat/chat.js";

describe("two hubs of one home", () => {
  it("run different chats, and one marks what the other left as interrupted when it is read", async () => {
    const home = temporaryFolder();
    const codex = codexStandIn();
    const options = { path: codex.folder, env: { CODEX_HOME: codex.home } };
    const [first, second] = [await startChatHub(home, options), await startChatHub(home, options)];
    const [one, two] = [
      await first.create({ provider: "codex" }),
      await second.create({ provider: "codex" }),
    ];
    // On a busy machine the run would be over before its hub is killed.
    const hold = join(codex.home, "hold");
    writeFileSync(hold, "");
    const run = await first.say(one.id, "from the first");
    const elsewhere = { method: "POST", body: '{"message":"from the second"}' };
    expect((await second.call(`/v1/chats/${one.id}/runs`, elsewhere)).status).toBe(409);
    expect((await second.call(`/v1/runs/${run}/stop`, { method: "POST" })).status).toBe(409);
    const other = await second.say(two.id, "from the second");
    await until(async () => (await second.events(one.id)).length > 5);
    first.child.kill("SIGKILL");
    await first.finished;
    rmSync(hold);
    expect((await second.ended(one.id, run)).at(-1)).toMatchObject({
      event: "run.stopped",
      payload: { reason: "interrupted" },
    });
    expect(payloads(await second.ended(two.id, other), "run.finished")).toEqual([{ outcome: "done" }]);
    const again = await second.ended(one.id, await second.say(one.id, "once more"));
    expect(payloads(again, "run.finished")).toEqual([{ outcome: "done" }]);
  });
});
