import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { announcedHubs, announceHub, cdpUrlOf, type HubDescription } from "./hub-files.js";

function home(): string {
  const path = mkdtempSync(join(tmpdir(), "debug-bridge-hubs-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const hub = (port: number, hasCdp = true): HubDescription => ({
  url: `http://127.0.0.1:${port}`,
  ports: { hub: port, console: port + 1, relay: port + 2 },
  version: "1.0.0",
  ...(hasCdp ? { cdpUrl: `ws://127.0.0.1:${port + 2}/cdp?token=t` } : {}),
});
const cdpFile = (folder: string): string => readFileSync(join(folder, "cdp-url"), "utf8").trim();

it("several hubs share a home, and none removes the files of another", () => {
  const folder = home();
  const { withdraw: withdrawFirst } = announceHub(folder, hub(1000));
  const { withdraw: withdrawSecond } = announceHub(folder, hub(2000));
  expect(announcedHubs(folder).map(({ url }) => url)).toEqual([
    "http://127.0.0.1:2000",
    "http://127.0.0.1:1000",
  ]);
  expect(announcedHubs(folder)[1]).toMatchObject({
    pid: process.pid,
    ports: { hub: 1000, console: 1001, relay: 1002 },
    version: "1.0.0",
    startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(readdirSync(join(folder, "hubs"))).toContain(`${process.pid}.json`);
  withdrawFirst();
  expect(announcedHubs(folder).map(({ url }) => url)).toEqual(["http://127.0.0.1:2000"]);
  withdrawSecond();
  expect(announcedHubs(folder)).toEqual([]);
});

it("cdp-url points to the newest hub, and to the one before it when that hub ends", () => {
  const folder = home();
  const { withdraw: withdrawFirst } = announceHub(folder, hub(1000));
  const { withdraw: withdrawSecond } = announceHub(folder, hub(2000));
  const { withdraw: withdrawThird } = announceHub(folder, hub(3000, false));
  expect(cdpFile(folder)).toBe("ws://127.0.0.1:2002/cdp?token=t");
  expect(statSync(join(folder, "cdp-url")).mode & 0o777).toBe(0o600);
  withdrawSecond();
  expect(cdpFile(folder)).toBe("ws://127.0.0.1:1002/cdp?token=t");
  expect(cdpUrlOf(folder)).toBe("ws://127.0.0.1:1002/cdp?token=t");
  withdrawFirst();
  expect(existsSync(join(folder, "cdp-url"))).toBe(false);
  withdrawThird();
});

it("files of dead processes and files that are not announcements are ignored; the former are removed", async () => {
  const folder = home();
  const { withdraw } = announceHub(folder, hub(1000));
  const child = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => child.on("exit", resolve));
  const dead = join(folder, "hubs", `${child.pid}.json`);
  writeFileSync(dead, JSON.stringify({ ...hub(2000), pid: child.pid, startedAt: "2026" }));
  writeFileSync(join(folder, "hubs", "1.json"), "{ nonsense");
  writeFileSync(join(folder, "hubs", "readme.txt"), "hello");
  expect(announcedHubs(folder).map(({ url }) => url)).toEqual(["http://127.0.0.1:1000"]);
  expect(existsSync(dead)).toBe(false);
  withdraw();
});

it("a hub that listens on all addresses is announced with the one of loopback", () => {
  const folder = home();
  const { withdraw } = announceHub(folder, { ...hub(1000), url: "http://0.0.0.0:1000" });
  expect(announcedHubs(folder)[0]?.url).toBe("http://127.0.0.1:1000");
  withdraw();
});
