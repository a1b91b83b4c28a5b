import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createUlid } from "../store/ulid.js";
import { Approvals } from "./approvals.js";
import { SavedApprovals } from "./saved-approvals.js";

const SITE = { origin: "https://shop.example", sessionId: "tab-1", action: "click e3" };
const RUN = createUlid();
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "debug-bridge-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("a question to the person", () => {
  it("is refused when nobody answers in time", async () => {
    const approvals = new Approvals(new SavedApprovals(home), 20);
    const statuses: string[] = [];
    approvals.open(RUN, "chat", ({ status }) => statuses.push(status));
    await approvals.ask(RUN, SITE);
    expect(statuses).toEqual(["waiting", "refused"]);
    expect(approvals.ask(RUN, SITE)).toBeUndefined();
    expect(approvals.refusal(RUN, SITE)?.code).toBe("grant_needed");
  });

  it("is asked once, however many commands wait for it", () => {
    const approvals = new Approvals(new SavedApprovals(home));
    const asked: string[] = [];
    approvals.open(RUN, "chat", ({ id }) => asked.push(id));
    for (let i = 0; i < 5; i++) void approvals.ask(RUN, { ...SITE, action: `click e${i}` });
    expect(asked).toHaveLength(1);
    approvals.close(RUN);
  });
});

describe("the sites that are always allowed", () => {
  it("are none when the file is broken, or a link to another one", () => {
    const saved = new SavedApprovals(home);
    const file = join(home, "chat-approvals.json");
    for (const text of ["", "null", '{"approvals":"all"}', `{"approvals":[{"origin":1}]}`]) {
      writeFileSync(file, text);
      expect(saved.list()).toEqual([]);
    }
    const elsewhere = join(home, "elsewhere.json");
    writeFileSync(elsewhere, JSON.stringify({ approvals: [{ origin: SITE.origin, at: new Date() }] }));
    rmSync(file);
    symlinkSync(elsewhere, file);
    expect(saved.has(SITE.origin)).toBe(false);
  });

  it("are shared by hubs of a home, each once", () => {
    const [one, two] = [new SavedApprovals(home), new SavedApprovals(home)];
    one.add(SITE.origin);
    two.add(SITE.origin);
    two.add("http://localhost:5173");
    expect(one.list().map(({ origin }) => origin)).toEqual([SITE.origin, "http://localhost:5173"]);
    one.remove(SITE.origin);
    expect(two.has(SITE.origin)).toBe(false);
    expect(() => two.remove(SITE.origin)).toThrow("debug-bridge chat approvals");
  });
});
