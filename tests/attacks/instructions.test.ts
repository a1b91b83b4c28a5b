import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseInstruction } from "@debug-bridge/runner";
import { describe, expect, it } from "vitest";
import { isOwnProfile } from "../../packages/runner/src/chrome/own-profiles.js";
import { temporaryFolder } from "../fixtures.js";

/** Milliseconds of the processor that reading takes, at best. */
function costOf(xml: string): number {
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    try {
      parseInstruction(xml);
    } catch {
      // Refused, which is as good.
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...costs);
}

describe("low: an instruction of a million &", () => {
  it.each([
    ["outside of an element", "&".repeat(1_000_000)],
    ["in a field", `<type>evaluate</type><code>${"&".repeat(1_000_000)}</code>`],
    ["as references", `<type>evaluate</type><code>${"&amp;".repeat(300_000)}</code>`],
    ["as broken references", `<type>evaluate</type><code>${"&#x".repeat(500_000)}</code>`],
  ])("%s is read or refused at once", (_, xml) => {
    // Measured by the processor's time, and against the same length of plain text: the machine may be busy. Quadratic time would take minutes.
    const plain = xml.replaceAll(/&(?:amp;|#x)?/g, (sign) => "x".repeat(sign.length));
    expect(costOf(xml)).toBeLessThan(10 * costOf(plain) + 500);
  });

  it("keeps its meaning", () => {
    const code = "a &&& b &amp;amp; &lt;i&gt; &bogus; <![CDATA[x && y &amp; ]]>\ue000";
    expect(parseInstruction(`<type>evaluate</type><code>${code}</code>`)).toMatchObject({
      code: "a &&& b &amp; <i> &bogus; x && y &amp; \ue000",
    });
  });
});

describe("low: the profile of a person's browser as userDataDir", () => {
  const profiles = [
    ".config/google-chrome",
    ".config/google-chrome-beta/Default",
    ".config/google-chrome-unstable",
    ".config/chromium",
    ".config/BraveSoftware/Brave-Browser",
    ".config/microsoft-edge-dev",
    ".config/vivaldi",
    ".config/opera",
    "snap/chromium/common/chromium",
    ".var/app/com.google.Chrome/config/google-chrome",
    ".var/app/com.brave.Browser/config",
    "Library/Application Support/Google/Chrome Beta",
    "Library/Application Support/Microsoft Edge",
    "AppData/Local/Google/Chrome SxS/User Data",
    "AppData/Local/BraveSoftware/Brave-Browser/User Data",
  ];

  it.each(profiles)("%s is refused, by its path and by way of links", (profile) => {
    const home = temporaryFolder();
    const folder = join(home, profile);
    expect(isOwnProfile(folder, home)).toBe(true);
    mkdirSync(folder, { recursive: true });
    const link = join(home, "link");
    symlinkSync(folder, link);
    expect(isOwnProfile(link, home)).toBe(true);
    expect(isOwnProfile(join(link, "new"), home)).toBe(true);
  });

  it("and other folders are not", () => {
    const home = homedir();
    for (const folder of [
      "shop/.profile",
      ".config/my-app",
      ".debug-bridge/projects/a/browser",
      "chromium-src",
    ])
      expect(isOwnProfile(join(home, folder))).toBe(false);
  });
});
