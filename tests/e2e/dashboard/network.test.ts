import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../fixtures.js";
import { closePages, sharedChromium } from "../../support/chrome/chromium.js";
import { type DashboardStage, dashboardStage } from "./stage.js";

const PAGE = `<!doctype html><title>Orders</title><script>
fetch("/api/orders", { method: "POST", headers: { "x-shop": "one", authorization: "Bearer t0p-s3cret" }, body: "{}" });
new EventSource("/events").onmessage = ({ data }) => console.log("heard " + data);
</script>`;

/** An app with the SDK, whose requests are sent by `order`. */
const app = (hub: string): string => `<!doctype html><title>Orders app</title>
<script src="${hub}/sdk.js" data-session="orders-app"></script><script>
function order(number) {
  const url = "/api/orders?number=" + number;
  const headers = { "x-shop": "one", authorization: "Bearer t0p-s3cret", "x-api-key": "k3y-value" };
  // Each of these can be read in its own way, the last one only once.
  fetch(url + "&by=init", { method: "POST", headers, body: "{}" });
  fetch(new Request(url + "&by=request", { headers }));
  fetch(url + "&by=list", { headers: [["x-shop", "one"], ["x-shop", "two"]] });
  fetch(url + "&by=once", { headers: new Map([["x-shop", "read once"]]).entries() });
  const xhr = new XMLHttpRequest();
  xhr.open("PUT", url + "&by=xhr");
  for (const name in headers) xhr.setRequestHeader(name, headers[name]);
  xhr.send("{}");
}
</script>`;

async function serveOrders(hub = "", seen: string[] = []): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/api/orders?")) seen.push(`${request.url} ${request.headers["x-shop"]}`);
    if (request.url === "/app") {
      response.writeHead(200, { "content-type": "text/html" }).end(app(hub));
      return;
    }
    if (request.url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: shipped\n\n");
    } else if (request.url?.startsWith("/api/orders"))
      setTimeout(() => {
        response.writeHead(201, { "set-cookie": "sid=c00kie-value", "x-answer": "yes" });
        response.end('{"id":7}');
      }, 60);
    else response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("shows headers without their secrets, the parts of the time and who made a request of a launched Chrome", async () => {
  const browser = await sharedChromium();
  onTestFinished(closePages);
  const { page, ready, token } = await dashboardStage(browser, []);
  const url = await serveOrders();
  const instruction = `<type>start</type><url>${url}</url>`;
  await fetch(`${ready.hub}/v1/browser-action`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ instruction, sessionId: "orders" }),
  });
  await page.getByRole("link", { name: "Orders" }).click();
  await page.getByRole("row", { name: /console.log heard shipped/ }).waitFor();
  // The result of the command may name it too, after it.
  await page
    .getByRole("row", { name: /POST .*api\/orders 201/ })
    .first()
    .click();
  const details = page.getByRole("region", { name: "Details" });
  await details.getByText(/^Request headers/).click();
  await details.getByText(/^Response headers/).click();
  const text = async (name: string): Promise<string> =>
    (await details
      .locator("dt", { hasText: new RegExp(`^${name}$`, "i") })
      .locator("+ dd")
      .first()
      .textContent()) ?? "";
  expect(await text("x-shop")).toBe("one");
  expect(await text("x-answer")).toBe("yes");
  expect(await text("authorization")).toBe("•••");
  expect(await text("Initiator")).toBe(`script ${url}:2:1`);
  const timing = details.getByRole("table", { name: "Timing" });
  const wait = await timing.getByRole("row", { name: /^Wait/ }).textContent();
  expect(Number.parseFloat(/[\d.]+/.exec(wait ?? "")?.[0] ?? "0")).toBeGreaterThanOrEqual(50);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await details.getByRole("button", { name: "Copy as cURL" }).click();
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  expect(curl).toContain("-H 'x-shop: one'");
  expect(curl).not.toMatch(/authorization/i);
  await details.getByText("Copies do not include masked headers.").waitFor();
  const response = await fetch(`${ready.hub}/v1/sessions/orders/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const all = await response.text();
  for (const secret of ["t0p-s3cret", "c00kie-value"]) expect(all).not.toContain(secret);
});

/** The network records of a session. */
async function requestsOf(
  { ready, token }: DashboardStage,
  session: string,
): Promise<{ url: string; phase: string; headers?: Record<string, string> }[]> {
  const response = await fetch(`${ready.hub}/v1/sessions/${session}/records?kinds=network,request`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { records } = (await response.json()) as { records: { data: { url: string; phase: string } }[] };
  return records.map(({ data }) => data);
}

it("shows the headers that an app sets and may read, without their secrets, while somebody watches it", async () => {
  const browser = await sharedChromium();
  onTestFinished(closePages);
  const dashboard = await dashboardStage(browser, []);
  const { page, ready, open } = dashboard;
  const seen: string[] = [];
  const { page: shop } = await open(`${await serveOrders(ready.hub, seen)}app`);
  const order = async (number: number): Promise<void> => {
    await shop.evaluate(
      (given) => (globalThis as unknown as { order(n: number): void }).order(given),
      number,
    );
    await until(async () => {
      const all = await requestsOf(dashboard, "orders-app");
      return (
        all.filter(({ url, phase }) => url.includes(`number=${number}&`) && phase === "response").length === 5
      );
    });
  };
  await page.getByRole("link", { name: "Orders app" }).waitFor();
  await order(1);
  await page.getByRole("link", { name: "Orders app" }).click();
  await page
    .frameLocator('iframe[title="What the page shows"]')
    .locator("body")
    .waitFor({ state: "attached" });
  await order(2);
  const all = await requestsOf(dashboard, "orders-app");
  expect(all.filter(({ url, headers }) => url.includes("number=1&") && headers)).toEqual([]);
  const headersOf = (by: string, phase: string): Record<string, string> | undefined =>
    all.find((each) => each.url.endsWith(`number=2&by=${by}`) && each.phase === phase)?.headers;
  const sent = { "x-shop": "one", authorization: "•••", "x-api-key": "•••" };
  expect(headersOf("init", "request")).toEqual(sent);
  expect(headersOf("request", "request")).toEqual(sent);
  expect(headersOf("xhr", "request")).toEqual(sent);
  expect(headersOf("list", "request")).toEqual({ "x-shop": "one, two" });
  // What can be read once belongs to the app: the server got it.
  expect(headersOf("once", "request")).toBeUndefined();
  expect(seen).toContain("/api/orders?number=2&by=once read once");
  for (const by of ["init", "request", "list", "once", "xhr"])
    expect(headersOf(by, "response"), by).toMatchObject({ "x-answer": "yes" });
  expect(JSON.stringify(all)).not.toMatch(/t0p-s3cret|k3y-value|c00kie-value/);

  await page.getByRole("row", { name: /PUT .*number=2.*by=xhr.* 201/ }).click();
  const details = page.getByRole("region", { name: "Details" });
  await details.getByText("Request headers (3)").click();
  await details.getByText("x-shop").waitFor();
  await details.getByText(/^Response headers/).click();
  await details.getByText("x-answer").waitFor();
  await page.getByRole("row", { name: /PUT .*number=1.*by=xhr.* 201/ }).click();
  await details
    .getByText(/Headers of an app are recorded while somebody views or records its page/)
    .waitFor();
  // Nobody looks: headers are no longer kept.
  await page.getByRole("link", { name: "Debug Bridge" }).first().click();
  await until(async () => {
    await order(seen.length);
    return (await requestsOf(dashboard, "orders-app")).at(-1)?.headers === undefined;
  });
});
