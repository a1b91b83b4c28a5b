import { connect, findHub } from "@debug-bridge/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Site, startSite } from "../e2e/relay/site.js";
import { Person } from "../e2e/relay/stage.js";
import { startUp, temporaryFolder, until } from "../fixtures.js";
import { randomNumbers } from "../support/machine/long-mode.js";
import { FaultLog, rounds } from "./support/fault-log.js";

const KILLS = rounds(2, 24);

let site: Site;
let person: Person | undefined;
beforeAll(async () => {
  site = await startSite();
});
afterAll(async () => {
  await person?.close();
  await site.close();
});

it("a tab can be used again after its hub was killed at a random moment, each time", async () => {
  const log = new FaultLog("hub", "acts");
  const random = randomNumbers();
  const home = temporaryFolder();
  let hub = await startUp([], home);
  const args = ["--relay-port", new URL(hub.ready.relay).port];
  const used = await Person.start(hub.ready.relay, [site.url("/")]);
  person = used;
  let unknown = 0;
  let acknowledged = 0;
  for (let kill = 0; kill <= KILLS; kill++) {
    const session = await until(() => tabOf(home)).catch((error) => explain(error, used, home, kill));
    const tab = await connect({ home, sessionId: session });
    const click = async (): Promise<void> => {
      const { success } = await tab.act({ type: "click", target: { selector: "#count" } });
      expect(success).toBe(true);
      acknowledged++;
    };
    await click();
    if (kill === KILLS) {
      // The page counts what was done in it.
      const [, done] = /Clicked (\d+)/.exec((await tab.observe()).text) ?? [];
      if (Number(done) < acknowledged)
        log.lose(`${acknowledged} clicks were acknowledged, ${done} were done`);
      if (Number(done) > acknowledged + unknown)
        log.lose(`${done} clicks were done, of ${acknowledged + unknown}`);
      tab.close();
      break;
    }
    const acting = click().catch(() => void unknown++);
    await new Promise((resolve) => setTimeout(resolve, random() * 100));
    hub.child.kill("SIGKILL");
    await Promise.all([hub.finished, acting]);
    tab.close();
    log.count("a hub killed and started again");
    await log.recover(async () => {
      hub = await startUp(args, home);
      await until(() => tabOf(home)).catch((error) => explain(error, used, home, kill));
    });
  }
  log.acknowledge(acknowledged);
  log.finish();
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
