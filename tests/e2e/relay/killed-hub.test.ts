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
    const session = await until(() => tabOf(home)).catch((error) =>
      explain(error, person as Person, home, kill),
    );
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

/** What the browser and the hub know, for when it happens only now and then. */
async function explain(error: Error, browser: Person, home: string, kill: number): Promise<never> {
  const code = "Promise.all([chrome.storage.session.get(), chrome.tabs.query({})])";
  const [targets, worker, sessions] = await Promise.all([
    browser.targets().then((all) => all.map(({ type, url }) => `${type} ${url}`)),
    Promise.race([
      browser.inWorker(code),
      new Promise((resolve) => setTimeout(resolve, 10_000, "the worker does not answer")),
    ]),
    sessionsOf(home),
  ]);
  throw new Error(`${error.message}; after ${kill} kills: ${JSON.stringify({ targets, worker, sessions })}`);
}

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly url?: string;
}

/** The sessions of the hub, once there is one. */
async function sessionsOf(home: string): Promise<readonly Listed[] | undefined> {
  const hub = await findHub({ home });
  if (!hub) return undefined;
  const response = await fetch(`${hub.url}/v1/sessions`, {
    headers: { authorization: `Bearer ${hub.token}` },
  });
  return ((await response.json()) as { sessions: Listed[] }).sessions;
}

/** The session of the tab, once the hub knows it. */
async function tabOf(home: string): Promise<string | undefined> {
  const sessions = await sessionsOf(home);
  return sessions?.find(({ kind, url }) => kind === "tab" && url === site.url("/"))?.id;
}
