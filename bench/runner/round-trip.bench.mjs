/**
 * Click and type with a receipt, from one process to another, against the two MCP servers that agents use for this:
 * the same page, the same Chrome, in turns. [RUN-131]
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findChrome } from "@debug-bridge/runner/chrome";
import { figure, median } from "../lib/figure.mjs";
import { servePage, startPeer, startRunner, temporaryFolder } from "./lib.mjs";

const ROUNDS = 15;
const require = createRequire(import.meta.url);
const chrome = findChrome();
const page = await servePage();
const home = temporaryFolder();
const packageFolder = (name) => dirname(require.resolve(`${name}/package.json`));

const runner = startRunner(home.path);
const playwright = await startPeer(
  [
    join(packageFolder("@playwright/mcp"), "cli.js"),
    ...["--headless", "--isolated", "--no-sandbox", "--executable-path", chrome],
  ],
  home.path,
);
const devtools = await startPeer(
  [
    join(packageFolder("chrome-devtools-mcp"), "build/src/bin/chrome-devtools-mcp.js"),
    ...["--headless", "--isolated", "--executablePath", chrome, "--chromeArg=--no-sandbox"],
    ...["--no-usage-statistics", "--no-page-id-routing"],
  ],
  home.path,
);

try {
  await runner.send(`<type>start</type><url>${page.url}</url>`);
  await playwright.call("browser_navigate", { url: page.url });
  await devtools.call("navigate_page", { url: page.url });
  const aria = await playwright.call("browser_snapshot");
  const refOf = (line) => /\[ref=(\w+)\]/.exec(aria.split("\n").find((one) => line.test(one)))[1];
  const [pwButton, pwField] = [refOf(/button "Add order"/), refOf(/textbox "Name"/)];
  const tree = await devtools.call("take_snapshot");
  const uidOf = (line) => /uid=(\w+)/.exec(tree.split("\n").find((one) => line.test(one)))[1];
  const [uidButton, uidField] = [uidOf(/button "Add order"/), uidOf(/textbox "Name"/)];

  const subjects = {
    click: {
      ours: async () => {
        const { receipt } = await runner.send("<type>click</type><targets>Add order</targets>");
        if (!receipt.settled || !receipt.appeared) throw new Error("no receipt");
      },
      playwright: () =>
        playwright.call("browser_click", { element: "Add order", target: pwButton, ref: pwButton }),
      devtools: () => devtools.call("click", { uid: uidButton }),
    },
    type: {
      ours: async (round) => {
        const text = `Ada ${round}`;
        const { receipt } = await runner.send(
          `<type>type</type><selector>#name</selector><text>${text}</text><clear>true</clear>`,
        );
        if (receipt.changed?.[0]?.after !== text) throw new Error("no receipt");
      },
      // Key by key, as ours does, and with a report; without `slowly` it sets the value and reports nothing.
      playwright: (round) =>
        playwright.call("browser_type", {
          ...{ element: "Name", target: pwField, ref: pwField },
          text: `Ada ${round}`,
          slowly: true,
        }),
      devtools: (round) => devtools.call("fill", { uid: uidField, value: `Ada ${round}` }),
    },
  };
  const fill = (round) =>
    playwright.call("browser_type", { element: "Name", target: pwField, ref: pwField, text: `Ada ${round}` });
  for (const [action, sides] of Object.entries(subjects)) {
    const times = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
    for (let round = -2; round < ROUNDS; round++) {
      for (const [name, run] of Object.entries(sides)) {
        const startedAt = performance.now();
        await run(round);
        if (round >= 0) times[name].push(performance.now() - startedAt);
      }
    }
    const [ours, pw, dt] = [median(times.ours), median(times.playwright), median(times.devtools)];
    figure({
      name: `${action} with a receipt, to the faster of Playwright MCP and Chrome DevTools MCP`,
      value: ours / Math.min(pw, dt),
      unit: "×",
      limit: 0.25,
      note: `${ours.toFixed(1)} ms against ${pw.toFixed(1)} ms and ${dt.toFixed(1)} ms`,
    });
  }
  const [ours, bare] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    await subjects.type.ours(round);
    const between = performance.now();
    await fill(round);
    ours.push(between - startedAt);
    bare.push(performance.now() - between);
  }
  figure({
    name: "type with keys and a receipt, to Playwright MCP setting the value without a report",
    value: median(ours) / median(bare),
    unit: "×",
    note: `${median(ours).toFixed(1)} ms against ${median(bare).toFixed(1)} ms`,
  });
} finally {
  await Promise.all([runner.close(), playwright.close(), devtools.close()]);
  page.close();
  home.remove();
}
