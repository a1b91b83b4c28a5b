/** A cold `start`, with its page open and the engine in it, against the bare launch of the same Chrome. */
import { BrowserSessions, findChrome } from "@debug-bridge/runner";
import puppeteer from "puppeteer-core";
import { figure, median } from "../lib/figure.mjs";
import { servePage, startQuietHub, temporaryFolder } from "./lib.mjs";

const ROUNDS = 15;
const page = await servePage();
const home = temporaryFolder();
const hub = await startQuietHub(home.path);
const sessions = new BrowserSessions();
const times = { ours: [], bare: [] };

try {
  for (let round = -1; round < ROUNDS; round++) {
    const profile = temporaryFolder();
    let startedAt = performance.now();
    const browser = await puppeteer.launch({
      executablePath: findChrome(),
      headless: true,
      args: ["--no-sandbox"],
      userDataDir: profile.path,
    });
    if (round >= 0) times.bare.push(performance.now() - startedAt);
    await browser.close();
    profile.remove();

    startedAt = performance.now();
    const options = { sessionId: "bench", hub, home: home.path };
    const { success } = await sessions.handle(`<type>start</type><url>${page.url}</url>`, options);
    if (!success) throw new Error("start failed");
    if (round >= 0) times.ours.push(performance.now() - startedAt);
    await sessions.closeAll();
  }
  figure({
    name: "a cold start with its page, to bare puppeteer.launch",
    value: median(times.ours) / median(times.bare),
    unit: "×",
    limit: 1.3,
    note: `${median(times.ours).toFixed(0)} ms against ${median(times.bare).toFixed(0)} ms`,
  });
} finally {
  await sessions.closeAll();
  await hub.close();
  page.close();
  home.remove();
}
