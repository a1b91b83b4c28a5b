import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli, temporaryFolder } from "../../fixtures.js";
import { CHROMIUM } from "../../support/chrome/chromium.js";

const ENV = { CHROME_PATH: CHROMIUM.executablePath };

/** A page whose button fails in some of its loads, by their number from 0; `cookie` says whether it was signed in. */
async function serve(fails: (load: number, cookie: string) => boolean): Promise<string> {
  let loads = 0;
  const server = createServer(({ url, headers }, response) => {
    const isPage = url === "/";
    const code = isPage && fails(loads++, headers.cookie ?? "") ? "throw Error(`no more`)" : "";
    response.setHeader("content-type", "text/html");
    response.end(`<link rel="icon" href="data:,"><button onclick="${code}">Buy</button>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A recording of one click that failed, as a hub writes it. */
function recordingOf(url: string): string {
  const at = Date.UTC(2026, 0, 1);
  const size = { width: 800, height: 600 };
  const locators = [{ by: "role", role: "button", value: "Buy" }];
  const records: [string, object][] = [
    ["recording_start", { url, timeZone: "UTC", language: "en", ...size, seed: 5 }],
    ["interaction", { action: "click", locators, url }],
    ["error", { text: "Uncaught Error: no more", message: "Uncaught Error: no more" }],
  ];
  const file = join(temporaryFolder(), "events.jsonl");
  const lines = records.map(([type, data], i) => {
    const timestamp = at + 100 * i;
    const whole = { sessionId: "shop", timestamp, origin: "app", type, ...data };
    const record = { type, sessionId: "shop", sequence: i + 1, data: whole };
    return JSON.stringify({ ...record, timestamp: new Date(timestamp).toISOString() });
  });
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

it("reports a failure that does not come in every replay with its rate", async () => {
  const url = await serve((load) => load % 3 !== 1);
  const out = join(temporaryFolder(), "out");
  const { stdout, stderr, code } = await runCli(
    ["record", "reproduce", recordingOf(url), "--out-dir", out],
    ENV,
  );
  expect(stdout, stderr).toMatch(/"no more".*: [1-4] of 5 replays \(flaky\)\n1 action of 1:/);
  expect(code).toBe(0);
  expect(readFileSync(join(out, "report.md"), "utf8")).toMatch(/[1-4] of 5/);
});

it("says that a recording keeps no login, and fails as recorded with the cookies that it is given", async () => {
  const url = await serve((_, cookie) => cookie.includes("session=ada"));
  const args = ["record", "reproduce", recordingOf(url), "--out-dir", join(temporaryFolder(), "out")];
  const without = await runCli(args, ENV);
  expect(without.stdout, without.stderr).toMatch(
    /did not happen in 3 replays.*keep no cookies or storage.*--storage FILE/s,
  );
  expect(without.code).toBe(1);
  const storage = join(temporaryFolder(), "storage.json");
  const cookie = { name: "session", value: "ada", domain: "127.0.0.1", path: "/", expires: -1 };
  const flags = { httpOnly: true, secure: false, sameSite: "Lax" };
  writeFileSync(storage, JSON.stringify({ cookies: [{ ...cookie, ...flags }], origins: [] }));
  expect((await runCli([...args, "--storage", storage], ENV)).stdout).toContain("5 of 5 replays");
});
