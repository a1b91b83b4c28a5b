import { expect, it, onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { rememberHome } from "../../support/chrome/pairing.js";
import { startCodex } from "../agent/codex.js";
import { violations } from "../chat-panel/axe.js";
import { startSite } from "../relay/site.js";
import { Person } from "../relay/stage.js";
import { breakCheckout } from "./shop.js";
import { dashboardStage } from "./stage.js";

it("shows the shop, a tab, a launched Chrome and a Codex run that are connected at once, each with its timeline", async () => {
  const browser = await sharedChromium();
  onTestFinished(closePages);
  const dashboard = await dashboardStage(browser, [], "shop-react");
  const { page, home, ready, token, problems } = dashboard;
  await breakCheckout(dashboard);
  const site = await startSite();
  onTestFinished(() => site.close());
  rememberHome(home, ready.console, ready.relay);
  const person = await Person.start(ready.relay, [site.url("/")]);
  onTestFinished(() => person.close());
  const headers = { authorization: `Bearer ${token}` };
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${ready.hub}${path}`, { headers })).json();
  const post = async (path: string, body: object): Promise<void> => {
    const response = await fetch(`${ready.hub}${path}`, {
      ...{ method: "POST", headers, body: JSON.stringify(body) },
    });
    const result = await response.json();
    expect(result, JSON.stringify(result)).toMatchObject({ success: true });
  };
  const instruction = `<type>start</type><url>${site.url("/")}</url>`;
  await post("/v1/browser-action", { instruction, sessionId: "launched" });
  const tab = await until(async () => {
    const { sessions } = (await get("/v1/sessions")) as {
      sessions: { id: string; kind: string; url?: string }[];
    };
    return sessions.find(({ kind, url }) => kind === "tab" && url === site.url("/"))?.id;
  });
  await post(`/v1/sessions/${tab}/commands`, { type: "evaluate", code: "console.warn('said by the tab')" });
  const codex = await startCodex(home, [
    { tool: "exec_command", input: { cmd: "echo one > one.txt" } },
    { text: "The shop is fixed." },
  ]);

  const live = page.getByRole("region", { name: "Live sessions" });
  const card = (kind: string) =>
    live.getByRole("listitem").filter({ has: page.getByText(kind, { exact: true }) });
  for (const kind of ["app", "tab", "browser", "agent"]) await card(kind).first().waitFor();
  expect((await violations(page)).join("\n")).toBe("");
  await card("agent").getByRole("link").click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  // An agent that has ended is not among the live sessions.
  codex.begin();
  await page.getByRole("list", { name: "Conversation" }).getByText("The shop is fixed.").waitFor();
  for (const [kind, row] of [
    ["app", /TypeError/],
    ["tab", /said by the tab/],
    ["browser", /GET .* 200/],
  ] as const) {
    await page.getByRole("link", { name: "Debug Bridge" }).click();
    await card(kind).first().getByRole("link").click();
    await page.getByRole("row", { name: row }).first().click();
    await page.getByRole("article", { name: /^Record \d+/ }).waitFor();
  }
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByText("All tabs are shared.").waitFor();
  await page.getByRole("region", { name: "What your Chrome shares" }).getByRole("row").nth(1).waitFor();
  expect(problems).toEqual([]);
});
