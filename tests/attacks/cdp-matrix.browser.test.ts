import { judgeCdp } from "@debug-bridge/protocol";
import { expect, it } from "vitest";
import { CdpClient } from "../integration/relay/cdp-client.js";
import { METHODS } from "./support/methods.js";
import { readOnlyStage } from "./support/read-only-stage.js";

/** They open a target, detach this session, or end when the client acknowledges what never comes. */
const SKIPPED =
  /^(Target\.|Page\.screencastFrameAck|HeapProfiler\.|Tracing\.|Page\.printToPDF|Page\.captureSnapshot)/;

it("V19: every CDP method in a read-only tab of a real browser does what the table says", async () => {
  const on = await readOnlyStage("person");
  try {
    const client = await CdpClient.connect(on.stage.cdpUrl);
    await client.attachAll();
    const { targetInfos } = (await client.result("Target.getTargets")) as {
      targetInfos: { targetId: string; url: string; type: string }[];
    };
    const target = targetInfos.find(({ url, type }) => url === on.victim.url && type === "page");
    const page = client.session(String(target?.targetId));
    const before = await on.victim.state(on.stage.person.endpoint);
    for (const method of METHODS) {
      const verdict = judgeCdp(method, {}, { level: "read-only", grants: "all", code: "placed" });
      if (verdict.allowed && SKIPPED.test(method)) continue;
      const { error } = await client.ask(method, {}, page);
      if (verdict.allowed) expect(error?.data, method).not.toBe("read_only");
      else expect(["read_only", "not_supported"], method).toContain(error?.data);
    }
    expect(await on.victim.changes(on.stage.person.endpoint, before)).toEqual([]);
  } finally {
    await on.close();
  }
});
