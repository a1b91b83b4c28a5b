import { chromium } from "playwright-core";
import { it } from "vitest";
import { Stage } from "../e2e/relay/stage.js";
import { until } from "../fixtures.js";
import { SITE_FLAGS } from "./person/sites.js";

it("x", async () => {
  const stage = await Stage.start({ flags: SITE_FLAGS });
  await stage.person.inWorker("chrome.storage.local.set({ share: 'chosen' })");
  await until(async () => (await stage.health()).tabs === 0);
  console.log(
    JSON.stringify((await stage.person.targets()).map(({ type, url, title }) => ({ type, url, title }))),
  );
  process.env.X = "1";
  const d = await chromium
    .connectOverCDP(stage.person.endpoint, { timeout: 10000 })
    .catch((e) => console.log(String(e)));
  console.log("connected", !!d);
  await stage.close();
});
