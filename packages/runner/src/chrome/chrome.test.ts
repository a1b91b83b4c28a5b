import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { mergeConfig } from "../config.js";
import { parseInstruction } from "../instruction/parse.js";
import { findChrome } from "./find.js";
import { noChrome } from "./install-steps.js";
import { acquireProfile, profileFolder, releaseProfile } from "./profile.js";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "debug-bridge-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("finding Chrome", () => {
  const at = (platform: NodeJS.Platform, path: string, env = {}): string | undefined =>
    findChrome({ platform, env, exists: (one) => one === path });

  it("looks at the standard path of each system, at CHROME_PATH and on PATH [RUN-065]", () => {
    for (const [platform, path] of [
      ["win32", "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"],
      ["darwin", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
      ["linux", "/usr/bin/google-chrome"],
    ] as const)
      expect(at(platform, path)).toBe(path);
    expect(at("linux", "/opt/x/chromium", { PATH: "/bin:/opt/x" })).toBe("/opt/x/chromium");
    expect(at("linux", "/my/chrome", { CHROME_PATH: "/my/chrome", PATH: "/bin" })).toBe("/my/chrome");
    expect(at("linux", "/usr/bin/google-chrome", { CHROME_PATH: "/my/chrome" })).toBeUndefined();
  });

  it("explains how to install it when none is found, and never installs it [RUN-066, RUN-067, RUN-068]", () => {
    for (const platform of ["win32", "darwin"] as const)
      expect(noChrome({ platform, env: {} }).message).toContain("https://www.google.com/chrome/");
    const { message } = noChrome({ platform: "linux", env: {} });
    expect(message).toContain("apt install");
    expect(message).toContain("yum install");
    expect(noChrome({ platform: "linux", env: { CHROME_PATH: "/nope" } }).message).toContain(
      "CHROME_PATH is /nope",
    );
  });
});

describe("a profile", () => {
  it("is in the home, one per project [RUN-052]", () => {
    const home = folder();
    const { folder: path, temporary } = acquireProfile({ home, project: "/work/shop" });
    expect(path).toMatch(new RegExp(`^${home}/projects/shop-[0-9a-f]{8}/browser$`));
    expect(temporary).toBe(false);
    expect(profileFolder({ home, project: "/other/shop" })).not.toBe(path);
  });

  it("is never a person's own [RUN-054]", () => {
    for (const own of [".config/google-chrome", ".config/google-chrome/Default", ".config/chromium"])
      expect(() => acquireProfile({ userDataDir: join(homedir(), own) })).toThrow(
        "the profile of a browser of yours",
      );
  });

  it("has a stale lock removed", () => {
    const home = folder();
    const path = profileFolder({ home, project: "/p" });
    mkdirSync(path, { recursive: true });
    symlinkSync(`${hostname()}-999999999`, join(path, "SingletonLock"));
    const profile = acquireProfile({ home, project: "/p" });
    expect(profile).toMatchObject({ folder: path, temporary: false });
    expect(profile.notes[0]).toContain("999999999");
    expect(acquireProfile({ home, project: "/p" }).notes).toEqual([]);
  });

  it("that another Chrome has locked is left alone, and a temporary one is used", () => {
    const home = folder();
    const path = profileFolder({ home, project: "/p" });
    mkdirSync(path, { recursive: true });
    symlinkSync("another-host-1", join(path, "SingletonLock"));
    const profile = acquireProfile({ home, project: "/p" });
    expect(profile.temporary).toBe(true);
    expect(profile.notes[0]).toContain("in use");
    releaseProfile(profile);
    expect(existsSync(profile.folder)).toBe(false);
  });

  it("that is temporary is deleted afterwards", () => {
    const profile = acquireProfile({ tempProfile: true });
    expect(existsSync(profile.folder)).toBe(true);
    releaseProfile(profile);
    expect(existsSync(profile.folder)).toBe(false);
  });

  it("that a killed runner left behind is deleted by the next one, unlike those still in use", () => {
    const place = folder();
    vi.stubEnv("TMPDIR", place);
    onTestFinished(() => void vi.unstubAllEnvs());
    const ended = spawnSync(process.execPath, ["-e", ""]).pid;
    // Taken, and killed before Chrome was there.
    const { folder: abandoned } = acquireProfile({ tempProfile: true });
    const [owner] = readdirSync(abandoned) as [string];
    writeFileSync(join(abandoned, owner), JSON.stringify({ runner: ended }));
    const { folder: living } = acquireProfile({ tempProfile: true });
    mkdirSync(join(place, "debug-bridge-profile-of-somebody"));
    const { folder: newest } = acquireProfile({ tempProfile: true });
    expect(readdirSync(place).map((name) => join(place, name))).toEqual(
      [living, newest, join(place, "debug-bridge-profile-of-somebody")].sort(),
    );
  });
});

describe("the configuration", () => {
  it("is one for launching, starting and restarting: defaults, then the caller's, then the instruction's [RUN-039]", () => {
    expect(mergeConfig()).toMatchObject({ headless: true, maxRetries: 3, retryDelay: 1_000, width: 1_280 });
    const start = { type: "start", url: "http://a.test/", screenshots: "none", width: 500 } as const;
    expect(mergeConfig({ width: 900, height: 700 }, start)).toMatchObject({ width: 500, height: 700 });
    const parsed = parseInstruction("<type>start</type><url>http://a.test/</url><width>500</width>");
    expect(mergeConfig({ maxRetries: 1, headless: false }, parsed)).toMatchObject({
      ...{ maxRetries: 1, headless: false, width: 500 },
    });
    expect(() => mergeConfig({ width: 5 })).toThrow("width");
  });

  it("is built on puppeteer-core, which ships no browser [RUN-064]", () => {
    const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    // The build copies what the runner uses of it into dist/vendor.
    expect(Object.keys(manifest.devDependencies)).toContain("puppeteer-core");
    expect(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })).not.toContain("puppeteer");
  });
});
