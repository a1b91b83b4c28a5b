import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { start, temporaryFolder, until } from "../../fixtures.js";
import { CHROMIUM, closePages, nextPage, sharedChromium } from "../../support/chrome/chromium.js";
import { processesAt } from "../runner/stage.js";

afterAll(closePages);

it("all files of a worker get the same Chromium, and a new one when it died", async () => {
  const first = await sharedChromium();
  expect(await sharedChromium()).toBe(first);
  await first.close();
  const second = await sharedChromium();
  expect(second).not.toBe(first);
  expect(second.isConnected()).toBe(true);
});

it("the next page of a context finds nothing that the pages before it left", async () => {
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end("<p>Hi"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const context = await (await sharedChromium()).newContext();
  const first = await nextPage(context);
  await first.goto(url);
  const read = (): Promise<unknown> =>
    Promise.resolve([document.cookie, { ...localStorage }, { ...sessionStorage }]).then(async (stored) => [
      ...stored,
      (await indexedDB.databases()).map(({ name }) => name),
    ]);
  await first.evaluate(async () => {
    await cookieStore.set("a", "1");
    localStorage.a = sessionStorage.a = "1";
    await new Promise((resolve) => {
      indexedDB.open("a").onsuccess = resolve;
    });
  });
  expect(await first.evaluate(read)).toEqual(["a=1", { a: "1" }, { a: "1" }, ["a"]]);
  const second = await nextPage(context);
  expect(context.pages()).toEqual([second]);
  await second.goto(url);
  expect(await second.evaluate(read)).toEqual(["", {}, {}, []]);
});

it("a Chromium ends with the worker that started it, even if the worker is killed", async () => {
  const folder = temporaryFolder();
  const code = `const { chromium } = await import("playwright-core");
    await chromium.launch(${JSON.stringify(CHROMIUM)});
    console.log("started");
    setInterval(() => {}, 1_000);`;
  const worker = start(process.execPath, ["--input-type=module", "-e", code], { TMPDIR: folder });
  await until(() => worker.output.stdout.includes("started"));
  const profile = `--user-data-dir=${folder}`;
  expect(processesAt(profile).length).toBeGreaterThan(1);
  worker.child.kill("SIGKILL");
  await until(() => processesAt(profile).length === 0);
});
