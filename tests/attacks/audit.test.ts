import { existsSync, readFileSync, statSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../fixtures.js";
import { answer, hello, type TestHub, testHub } from "../support/hub/hub.js";

const lines = (hub: TestHub, file: string): Record<string, unknown>[] =>
  existsSync(join(hub.home, file))
    ? readFileSync(join(hub.home, file), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    : [];

/** A request as any page can send it: without a token, with its own origin. */
function request(hub: TestHub, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${hub.url}${path}`, { headers: { origin: "https://evil.example" } }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    }).on("error", reject);
  });
}

describe("V15: the audit log", () => {
  it("keeps acts when a page floods the hub with requests, and counts those instead", async () => {
    const hub = await testHub();
    const app = await hub.app();
    app.send(hello);
    answer(app);
    const agent = await hub.agent();
    await agent.command({ type: "click", target: { text: "Pay" } });
    const path = `/v1/${"x".repeat(14_000)}`;
    for (let round = 0; round < 40; round++)
      await Promise.all(Array.from({ length: 40 }, () => request(hub, path)));
    await hub.close();
    expect(lines(hub, "audit.jsonl")).toMatchObject([{ what: "click", outcome: "done" }]);
    const refused = lines(hub, "audit-refused.jsonl");
    const counted = refused.reduce((sum, { count }) => sum + ((count as number | undefined) ?? 1), 0);
    expect(counted).toBe(1_600);
    expect(refused.length).toBeLessThan(20);
    expect(statSync(join(hub.home, "audit-refused.jsonl")).size).toBeLessThan(20_000);
    for (const { what } of refused) expect(String(what).length).toBeLessThan(260);
  });

  it("stays small when every refusal is another one", async () => {
    const hub = await testHub();
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 100 }, (_, i) => request(hub, `/v1/${round}-${i}`)));
    await hub.close();
    const refused = lines(hub, "audit-refused.jsonl");
    const counted = refused.reduce((sum, { count }) => sum + ((count as number | undefined) ?? 1), 0);
    expect(counted).toBe(1_000);
    expect(refused.length).toBeLessThan(400);
  });

  it("has no password and no token of an address", async () => {
    const hub = await testHub();
    const app = await hub.app();
    app.send(hello);
    answer(app);
    const agent = await hub.agent();
    const url = "https://ada:hunter2@shop.test/cb?access_token=s3cr3t-value&page=2";
    await agent.command({ type: "click", target: { text: url } });
    await agent.command({ type: "navigate", url });
    await until(() => lines(hub, "audit.jsonl").length >= 2);
    const text = hub.audit();
    expect(text).toContain("shop.test");
    expect(text).not.toMatch(/hunter2|s3cr3t/);
  });
});
