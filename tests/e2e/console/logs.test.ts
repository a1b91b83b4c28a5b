import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli, startUp, temporaryFolder, until } from "../../fixtures.js";
import { ExtensionBrowser } from "../extension/extension-browser.js";

let browser: ExtensionBrowser;
beforeAll(async () => {
  browser = await ExtensionBrowser.launch();
});
afterAll(() => browser.close());

it("logs errors=true shows an error that only the extension saw: formatted, once, with file and line", async () => {
  const home = temporaryFolder();
  const { ready } = await startUp([], home);
  await browser.use(ready.console);
  browser.serveHtml("/shop.js", "\nsetTimeout(() => { null.price; });\n");
  const url = browser.serveHtml(
    "/shop",
    `<!doctype html><title>Shop</title><body><script>console.log("a log"); console.error("%s is %d%%", "stock", 5)</script>
     <script src="/shop.js"></script>`,
  );
  await browser.open(url);
  const logs = async (): Promise<string> => {
    const { sessions } = JSON.parse(
      (await runCli(["sessions", "--json", "--hub", ready.hub, "--home", home])).stdout || '{"sessions":[]}',
    ) as { sessions: { id: string; url?: string }[] };
    const id = sessions.find((each) => each.url === url)?.id;
    if (id === undefined) return "";
    return (await runCli(["logs", id, "errors=true", "--hub", ready.hub, "--home", home])).stdout;
  };
  const output = await until(async () => {
    const text = await logs();
    return text.includes("Cannot read properties of null") && text;
  });
  expect(output.match(/Cannot read properties of null/g)).toHaveLength(1);
  expect(output).toMatch(
    /\d+ error: Uncaught TypeError: Cannot read properties of null \(reading 'price'\) \(http:\/\/127\.0\.0\.1:\d+\/shop\.js:2:\d+\)\n/,
  );
  expect(output).toMatch(/console\.error: stock is 5% \(http:\/\/127\.0\.0\.1:\d+\/shop:1:\d+\)/);
  expect(output).not.toContain("a log");
});
