import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli, temporaryFolder } from "../../fixtures.js";

/** A reproduction of one click, as `record reproduce` saves it. */
function saved(url: string): string {
  const folder = temporaryFolder();
  const size = { width: 800, height: 600 };
  const recording = { url, time: 0, ends: 1, timeZone: "UTC", language: "en-US", ...size, exchanges: [] };
  const click = { id: 1, at: 1, action: "click", by: "person" };
  const reproduction = {
    ...{ version: 1, recording, timed: false, network: "live", rate: { failed: 5, of: 5 } },
    failure: { kind: "error", message: "no more", at: 1 },
    steps: [{ ...click, locators: [{ by: "role", role: "button", value: "Buy" }] }],
  };
  writeFileSync(join(folder, "reproduction.json"), JSON.stringify(reproduction));
  return folder;
}

async function serve(html: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("says fixed only of a page that was there and could be used as before", async () => {
  const verify = async (url: string): Promise<string> => {
    const { code, stdout, stderr } = await runCli(["record", "verify", saved(url)]);
    return `${code} ${stdout}${stderr}`;
  };
  expect(await verify(await serve("<button onclick='throw Error(`no more`)'>Buy</button>"))).toMatch(
    /^1 .*not fixed/s,
  );
  expect(await verify(await serve("<button>Buy</button>"))).toMatch(/^0 .*fixed/s);
  expect(await verify(await serve("<h1>Another app</h1>"))).toMatch(/^1 not known/);
  expect(await verify("http://127.0.0.1:1/")).toMatch(
    /^1 error: .* did not load \(net::\w+\); start the app's server/,
  );
});
