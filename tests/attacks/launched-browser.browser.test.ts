import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { runCli, temporaryFolder } from "../fixtures.js";

const SECRET = "s3cr3t-t0k3n-of-ada";
const own = (home: string, xml: string, ...rest: string[]) =>
  runCli(["browser", "--own", "--temp-profile", "--home", home, ...rest, xml]);

it("low: a token in a URL is in no log line and no result of browser_action", async () => {
  const server = createServer((_, response) => response.end("<title>Home</title><h1>Welcome</h1>"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?access_token=${SECRET}`;
  const { stdout, stderr } = await own(temporaryFolder(), `<type>start</type><url>${url}</url>`);
  expect(JSON.parse(stdout)).toMatchObject({ success: true });
  expect(stderr).toContain("Loading");
  expect(stdout + stderr).not.toContain(SECRET);
});

it("low: a file of this machine is opened as a page only when that was asked for", async () => {
  const file = join(temporaryFolder(), "secret.html");
  writeFileSync(file, `<p>${SECRET}</p>`);
  const xml = `<type>start</type><url>${pathToFileURL(file).href}</url>`;
  const refused = await own(temporaryFolder(), xml);
  expect(refused.stdout).toContain("--allow-files");
  expect(refused.stdout).not.toContain(SECRET);
  const allowed = await own(temporaryFolder(), xml, "--allow-files");
  expect(allowed.stdout).toContain(SECRET);
});
