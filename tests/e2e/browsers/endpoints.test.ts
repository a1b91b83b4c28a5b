import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { HubClient, requireHub } from "@debug-bridge/client";
import { launch } from "puppeteer-core";
import { expect, onTestFinished, test } from "vitest";
import { startUp } from "../../fixtures.js";
import { PAGE_CHROMIUM } from "../../support/chrome/chromium.js";
import { freePort } from "../../support/hub/free-port.js";
import { servePage } from "../hub/stage.js";

const TOKEN = "s3cret";

/** The CDP endpoint of a Chromium that runs elsewhere, as its host and its path. */
async function startElsewhere(): Promise<URL> {
  const { executablePath, args } = PAGE_CHROMIUM;
  const browser = await launch({ executablePath, args: [...args] });
  onTestFinished(() => browser.close());
  return new URL(browser.wsEndpoint());
}

/** A service in front of a browser that asks for a token in every address, and names the browser by its own address. */
async function serveWithToken(browser: URL): Promise<string> {
  const isKnown = (url = "/"): boolean => new URL(url, "http://box").searchParams.get("token") === TOKEN;
  const server = createServer((request, response) => {
    response.writeHead(isKnown(request.url) ? 200 : 401, { "content-type": "application/json" });
    const answer = { webSocketDebuggerUrl: `ws://0.0.0.0:3000${browser.pathname}` };
    response.end(isKnown(request.url) ? JSON.stringify(answer) : "{}");
  });
  server.on("upgrade", (request, socket, head) => {
    if (!isKnown(request.url)) return socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n");
    const upstream = connect(Number(browser.port), browser.hostname, () => {
      const headers = { ...request.headers, host: browser.host };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      upstream.write(`GET ${browser.pathname} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket])
      end.on("error", () => [upstream, socket].map((each) => each.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A hub that offers the browsers at these addresses. */
async function offering(...addresses: string[]): Promise<HubClient> {
  const { ready } = await startUp(addresses.flatMap((address) => ["--browser-at", address]));
  const home = ready.tokenFile.replace(/\/token$/, "");
  const hub = new HubClient({ hub: () => requireHub({ home }) });
  onTestFinished(() => hub.close());
  return hub;
}

async function look(hub: HubClient, url: string): Promise<string> {
  const { session } = (await hub.post("/v1/browsers", { waitMs: 60_000 })) as { session: string };
  expect(await hub.command(session, { type: "navigate", url })).toMatchObject({ success: true });
  const { text } = await (await hub.session(session)).observe();
  await hub.delete(`/v1/sessions/${session}/browser`);
  return text;
}

test("a browser behind a service that asks for a token in the address is offered", async () => {
  const service = await serveWithToken(await startElsewhere());
  const url = await servePage("<!doctype html><h1>Behind a token</h1>", "");
  expect(await look(await offering(`${service}?token=${TOKEN}`), url)).toContain("Behind a token");
  await expect(look(await offering(`${service}?token=wrong`), url)).rejects.toThrow();
});

test("clients get a browser that lives while another address of the pool is dead", async () => {
  const dead = `http://127.0.0.1:${await freePort()}`;
  const hub = await offering(dead, (await startElsewhere()).href);
  const url = await servePage("<!doctype html><h1>Still here</h1>", "");
  for (let round = 0; round < 3; round++) expect(await look(hub, url)).toContain("Still here");
});
