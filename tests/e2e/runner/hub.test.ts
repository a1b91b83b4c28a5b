import { connect } from "@debug-bridge/client";
import { ACTING_COMMANDS } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { auditRecords } from "../../support/hub/audit.js";
import { chromeAt, gone, processesAt, serve, stage } from "./stage.js";

const ACTS: ReadonlySet<string> = new Set(ACTING_COMMANDS);

const PAGE = `<!doctype html><title>Shop</title><button onclick="this.insertAdjacentHTML('afterend', '<button>Checkout</button>'); console.log('added')">Add</button>`;

describe("a launched browser in a hub", () => {
  it("is a session of kind browser, with the same refs, receipts and timeline as the others", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    const hub = await on.hub();
    await on.run(`<type>start</type><url>${url}/</url>`, { sessionId: "launched" });
    const agent = await connect({ hub: hub.url, sessionId: "launched", token: hub.token });
    const { sessions } = (await (
      await fetch(`${hub.url}/v1/sessions`, { headers: { authorization: `Bearer ${hub.token}` } })
    ).json()) as { sessions: { id: string; kind: string }[] };
    expect(sessions).toMatchObject([{ id: "launched", kind: "browser" }]);
    // What the agent sees, browser_action can click, and the other way round.
    const clicked = await on.run("<type>click</type><targets>Add</targets>", { sessionId: "launched" });
    const ref = clicked.receipt?.appeared?.[0]?.ref;
    expect(ref).toBeDefined();
    const acted = await agent.act({ type: "click", target: { ref: ref as string } });
    expect(acted).toMatchObject({ success: true, receipt: { settled: true } });
    await agent.close();
  });

  it("has every command in the timeline and the audit log once, with its effects linked to it", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    await on.run(`<type>start</type><url>${url}/</url>`);
    await on.run("<type>click</type><targets>Add</targets>");
    const reader = (await on.hub()).connectClient({ name: "reader" });
    const records = reader.records("s");
    const commands = records.filter(({ type }) => type === "command");
    const acts = commands.map(({ data }) => (data as { type: string }).type).filter((type) => ACTS.has(type));
    expect(acts).toEqual(["navigate", "click"]);
    const click = commands.find(({ data }) => (data as { type: string }).type === "click");
    const line = records.find(
      ({ type, data }) => type === "console" && JSON.stringify(data).includes("added"),
    );
    expect(line?.causedBy).toBe(click?.sequence);
    await until(() => auditRecords(on.home).length === 2);
    expect(auditRecords(on.home)).toMatchObject([
      { what: "navigate", session: "s", outcome: "done" },
      { what: "click", session: "s", outcome: "done" },
    ]);
  });

  it("is not launched on a read-only hub, and the refusal is recorded", async () => {
    const on = stage({}, { readOnly: true });
    const response = await on.run("<type>start</type><url>http://localhost:3000/</url>");
    expect(response).toMatchObject({ success: false, error: { code: "read_only" } });
    expect(processesAt(on.home)).toEqual([]);
    const reader = (await on.hub()).connectClient({ name: "reader" });
    expect(reader.records("s").map(({ type }) => type)).toEqual(["command", "command_result"]);
    await until(() => auditRecords(on.home).length === 1);
    expect(auditRecords(on.home)).toMatchObject([{ what: "navigate", outcome: "read_only" }]);
  });

  it("is not acted on while another client holds the lease, but can be looked at", async () => {
    const url = await serve({ "/": PAGE });
    const on = stage();
    await on.run(`<type>start</type><url>${url}/</url>`);
    const other = (await on.hub()).connectClient({ name: "other" });
    expect(await other.command("s", { type: "acquire_lease" })).toMatchObject({ success: true });
    for (const xml of [
      "<type>click</type><targets>Add</targets>",
      `<type>navigate</type><url>${url}/</url>`,
      "<type>press</type><key>Tab</key>",
    ]) {
      expect(await on.run(xml, { config: { maxConsecutiveErrors: 10 } })).toMatchObject({
        success: false,
        error: { code: "lease_held" },
      });
    }
    other.close();
    expect(await on.run("<type>click</type><targets>Add</targets>")).toMatchObject({ success: true });
  });

  it("is closed when its session is closed while it is starting", async () => {
    const on = stage();
    const answer = on.run("<type>start</type><url>http://localhost:3000/</url>");
    await until(() => {
      try {
        return chromeAt(on.home) > 0;
      } catch {
        return false;
      }
    });
    await on.sessions.closeSession("s");
    expect(await answer).toMatchObject({ success: false });
    await gone(on.home);
    expect(on.sessions.active).toEqual([]);
  });
});
