import { connect, findHub } from "@debug-bridge/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startUp, temporaryFolder, until } from "../../fixtures.js";
import { type Site, startSite } from "./site.js";
import { Person } from "./stage.js";

const KILLS = Number(process.env.HUB_KILLS ?? 4);

let site: Site;
let person: Person | undefined;
beforeAll(async () => {
  site = await startSite();
});
afterAll(async () => {
  await person?.close();
  await site.close();
});

it("a tab can be used again after its hub was killed, each time", async () => {
  const home = temporaryFolder();
  let hub = await startUp([], home);
  const args = ["--relay-port", new URL(hub.ready.relay).port];
  person = await Person.start(hub.ready.relay, [site.url("/")]);
  for (let kill = 0; kill <= KILLS; kill++) {
    const session = await until(() => tabOf(home)).catch((error) => explain(error, person as Person, kill));
    const tab = await connect({ home, sessionId: session });
    const { text } = await tab.observe();
    const [, ref] = /(e\d+) button "/.exec(text) ?? [];
    expect((await tab.act({ type: "click", target: { ref: ref as string } })).success).toBe(true);
    tab.close();
    if (kill === KILLS) break;
    hub.child.kill("SIGKILL");
    await hub.finished;
    hub = await startUp(args, home);
  }
});

/** What the browser knows, for when it happens only now and then. */
async function explain(error: Error, browser: Person, kill: number): Promise<never> {
  const [targets, memory] = await Promise.all([
    browser.targets().then((all) => all.map(({ type, url }) => `${type} ${url}`)),
    Promise.race([
      browser.inWorker("chrome.storage.session.get()"),
      new Promise((resolve) => setTimeout(resolve, 10_000, "the worker does not answer")),
    ]),
  ]);
  throw new Error(`${error.message}; after ${kill} kills: ${JSON.stringify({ targets, memory })}`);
}

/** The session of the tab, once the hub knows it. */
async function tabOf(home: string): Promise<string | undefined> {
  const hub = await findHub({ home });
  if (!hub) return undefined;
  const response = await fetch(`${hub.url}/v1/sessions`, {
    headers: { authorization: `Bearer ${hub.token}` },
  });
  const { sessions } = (await response.json()) as { sessions: { id: string; kind: string; url?: string }[] };
  return sessions.find(({ kind, url }) => kind === "tab" && url === site.url("/"))?.id;
}
