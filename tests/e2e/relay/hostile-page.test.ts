import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import { CHROMIUM } from "../../support/chrome/chromium.js";
import { testHub } from "../../support/hub/hub.js";

const PATHS = [
  "/json/version",
  "/json/list",
  "/client-slot",
  "/cdp",
  "/extension",
  "/v1/sessions",
  "/v1/browser-action",
  "/mcp",
];

it("a web page that tries every endpoint, with the token or without, gets nothing, and is recorded", async () => {
  const hub = await testHub();
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<title>evil</title>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const port = (server.address() as AddressInfo).port;
  const { executablePath, args } = CHROMIUM;
  const browser = await chromium.launch({
    executablePath,
    args: [...args, "--host-resolver-rules=MAP evil.test 127.0.0.1"],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const bases = [hub.url, hub.relayUrl.replace("ws", "http")];

  // Another site, another port of this machine, and a name that was rebound to this machine.
  for (const origin of [`http://evil.test:${port}`, `http://127.0.0.1:${port}`]) {
    await page.goto(origin);
    const got = await page.evaluate(
      async ({ bases, paths, token }) => {
        const seen: string[] = [];
        const rebound = bases.map((base) => base.replace("127.0.0.1", "evil.test"));
        for (const base of [...bases, ...rebound]) {
          for (const path of paths) {
            for (const query of ["", `?token=${token}`]) {
              const url = base + path + query;
              for (const init of [{}, { method: "POST", body: "{}" }] as RequestInit[]) {
                const body = await fetch(url, init).then(
                  (answer) => answer.text(),
                  () => undefined,
                );
                if (body !== undefined) seen.push(`${url} ${body}`);
              }
            }
          }
        }
        // Chrome lets a page try few sockets that fail, so these are the ones that matter.
        const [main = "", relay = ""] = bases.map((base) => base.replace("http", "ws"));
        const [, reboundRelay = ""] = rebound.map((base) => base.replace("http", "ws"));
        const sockets = [
          `${relay}/cdp?token=${token}`,
          `${reboundRelay}/cdp?token=${token}`,
          `${relay}/extension`,
          `${main}/debug?role=agent&sessionId=s&token=${token}`,
        ];
        await Promise.all(
          sockets.map(
            (url) =>
              new Promise<void>((resolve) => {
                const socket = new WebSocket(url);
                socket.onopen = () => {
                  seen.push(`open ${url}`);
                  resolve();
                };
                socket.onerror = () => resolve();
              }),
          ),
        );
        return seen;
      },
      { bases, paths: PATHS, token: hub.token },
    );
    expect(got).toEqual([]);
  }
  // As a page of the relay's own address, where nothing stands between a page and the answer but the relay itself.
  await page.goto(`${hub.relayUrl.replace("ws", "http")}/healthz`).catch(() => {});
  const own = await page.evaluate(
    (paths) =>
      Promise.all(
        paths.map((path) =>
          fetch(path).then(
            (answer) => answer.status,
            () => 0,
          ),
        ),
      ),
    ["/json/version", "/json/list", "/client-slot"],
  );
  expect(own.every((status) => status === 401 || status === 403 || status === 0)).toBe(true);
  await until(() => hub.audit().includes("forbidden_origin") && hub.audit().includes("forbidden_host"));
  expect(hub.audit()).not.toContain(hub.token);
});
