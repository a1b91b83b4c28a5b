import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { closePages, sharedChromium } from "../../support/chromium.js";
import { dashboardStage } from "./stage.js";

const PAGE = `<!doctype html><title>Orders</title><script>
fetch("/api/orders", { method: "POST", headers: { "x-shop": "one", authorization: "Bearer t0p-s3cret" }, body: "{}" });
new EventSource("/events").onmessage = ({ data }) => console.log("heard " + data);
</script>`;

async function serveOrders(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: shipped\n\n");
    } else if (request.url === "/api/orders")
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
  await details.getByText(/^Answer headers/).click();
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
  await details.getByText("Masked headers are not in the copies.").waitFor();
  const response = await fetch(`${ready.hub}/v1/sessions/orders/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const all = await response.text();
  for (const secret of ["t0p-s3cret", "c00kie-value"]) expect(all).not.toContain(secret);
});
