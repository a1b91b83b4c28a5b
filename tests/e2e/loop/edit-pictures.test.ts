import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import jpeg from "jpeg-js";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli, until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import type { McpUser } from "../mcp/client.js";
import { APP } from "./app.js";
import { startLoop } from "./stage.js";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});
afterAll(closePages);

const COLOURS = { white: [255, 255, 255], green: [0, 160, 0], blue: [0, 0, 200], red: [200, 0, 0] };
const rule = (colour: keyof typeof COLOURS): string =>
  `body { background: rgb(${COLOURS[colour].join(", ")}); }`;
const PAGE = { ...APP, "src/style.css": `${rule("white")}\n` };

/** The colour of the page in a picture, near its lower right corner. */
function colourOf(data: Buffer): string | undefined {
  const { width, height, data: pixels } = jpeg.decode(data);
  const at = ((height - 10) * width + width - 10) * 4;
  const found = Object.entries(COLOURS).find(([, rgb]) =>
    rgb.every((value, i) => Math.abs(value - (pixels[at + i] ?? 0)) < 40),
  );
  return found?.[0];
}
const colours = (images: readonly { data: string }[]): (string | undefined)[] =>
  images.map(({ data }) => colourOf(Buffer.from(data, "base64")));

/** Opens the app in a launched browser too. Returns its session. */
async function launch(mcp: McpUser, url: string): Promise<string> {
  const started = await mcp.call("browser_action", {
    instruction: `<browser_action><type>start</type><url>${url}</url></browser_action>`,
  });
  expect(started.isError, started.text).toBe(false);
  return await until(async () => /(\S+) browser/.exec((await mcp.call("sessions")).text)?.[1]);
}

test("an edit has pictures of the page before and after it, whether it was saved before the call or after", async () => {
  const { mcp, page, save, home, hub, token } = await startLoop(browser, PAGE);
  const session = await launch(mcp, page.url());
  // With two pages of the app, the one that is not pictured may be the first to report what an edit did.
  await page.close();
  const ask = { type: "wait_for", edit: true, screenshots: "both" };

  save("src/style.css", rule("white"), rule("green"));
  // Otherwise the call could watch the page before the edit takes effect.
  const edits = { session, types: ["edit"] };
  await until(async () => (await mcp.call("logs", edits)).text.includes("edit src/style.css"));
  const first = await mcp.call("act", { session, ...ask });
  expect(first.text).toContain("no picture before: the page was not watched then");
  expect(colours(first.images)).toEqual(["green"]);

  save("src/style.css", rule("green"), rule("blue"));
  const second = await mcp.call("act", { session, ...ask });
  expect(second.text).toMatch(/picture before: taken \d+\.\d s before the edit/);
  expect(colours(second.images)).toEqual(["green", "blue"]);

  // The session of the app has not given that one yet.
  await mcp.call("act", { session: "app", type: "wait_for", edit: true });
  const waiting = mcp.call("act", { session: "app", ...ask });
  await new Promise((resolve) => setTimeout(resolve, 700));
  save("src/style.css", rule("blue"), rule("red"));
  const third = await waiting;
  expect(third.text).toContain(`pictures: of session "${session}", which shows the same address`);
  expect(colours(third.images)).toEqual(["blue", "red"]);
  const shown = await mcp.call("screenshot", { session: "app" });
  expect(shown.text).toContain(`the picture is of session "${session}", which shows the same address`);
  expect(colours(shown.images)).toEqual(["red"]);

  save("src/style.css", rule("red"), rule("white"));
  const out = join(home, "edit.jpg");
  const { code } = await runCli([
    ...["act", session, "wait_for", "edit=style.css", "screenshots=both"],
    ...["--out", out, "--home", home],
  ]);
  expect(code).toBe(0);
  expect(existsSync(out)).toBe(false);
  expect(colourOf(readFileSync(join(home, "edit-before.jpg")))).toBe("red");
  expect(colourOf(readFileSync(join(home, "edit-after.jpg")))).toBe("white");

  save("src/style.css", rule("white"), rule("green"));
  const answer = await fetch(`${hub}/v1/sessions/${session}/commands`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ ...ask, screenshots: "after" }),
  });
  const { value } = (await answer.json()) as { value: { pictures: Record<string, { data: string }> } };
  expect(Object.keys(value.pictures)).toEqual(["after"]);
  expect(colours(Object.values(value.pictures))).toEqual(["green"]);
  const { text: records } = await mcp.call("logs", { session, types: ["command_result"] });
  expect(records).not.toContain("base64");
  const { text: requests } = await mcp.call("logs", { session, types: ["network"] });
  expect(requests, "the SDK's own socket").not.toContain("role=app");
});
