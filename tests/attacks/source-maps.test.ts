import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { SourceMaps } from "@debug-bridge/runner/source-maps";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI, start, startUp, temporaryFolder, until } from "../fixtures.js";
import { ConsoleClient, SOURCE } from "../support/console/console-client.js";

const MAP = JSON.stringify({ version: 3, sources: ["secret.ts"], names: [], mappings: "AACA" });
const INLINE = `//# sourceMappingURL=data:application/json,${encodeURIComponent(MAP)}`;

interface Site {
  readonly url: string;
  /** The paths that were requested. */
  readonly asked: string[];
}

async function site(answer: RequestListener): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const at = (url: string) => ({ url, line: 1, column: 1 });
const unmapped = async (url: string, page: string, project = temporaryFolder()): Promise<void> => {
  const found = await new SourceMaps(project).locate(at(url), page);
  expect(found).toEqual(at(url));
};

describe("V9: a page that reports a forged location", () => {
  it("cannot make us ask another port of this machine", async () => {
    const [page, other] = [await site((_, r) => r.end("")), await site((_, r) => r.end(`x()\n${INLINE}`))];
    await unmapped(`${other.url}/admin/restart`, `${page.url}/`);
    await unmapped(`${other.url}/admin/restart`, "https://evil.example/");
    await unmapped(`${other.url}/admin/restart`, "");
    expect(other.asked).toEqual([]);
    const own = await new SourceMaps().locate(at(`${other.url}/a.js`), `${other.url}/index.html`);
    expect(own).toMatchObject({ url: `${other.url}/secret.ts`, line: 2 });
  });

  it("cannot name another origin as that of the map", async () => {
    const other = await site((_, r) => r.end(MAP));
    const page = await site((_, r) => r.end(`x()\n//# sourceMappingURL=${other.url}/a.js.map`));
    await unmapped(`${page.url}/a.js`, `${page.url}/`);
    expect([page.asked, other.asked]).toEqual([["/a.js"], []]);
  });

  it("cannot redirect us", async () => {
    const other = await site((_, r) => r.end(`x()\n${INLINE}`));
    const page = await site((_, r) => r.writeHead(302, { location: `${other.url}/inside` }).end());
    await unmapped(`${page.url}/a.js`, `${page.url}/`);
    expect(other.asked).toEqual([]);
  });

  it("cannot read files outside the project, devices, pipes, or by way of links", async () => {
    const [project, outside] = [temporaryFolder(), temporaryFolder()];
    const secret = join(outside, "secret.js");
    writeFileSync(secret, `x()\n${INLINE}`);
    writeFileSync(join(project, "own.js"), `x()\n${INLINE}`);
    mkdirSync(join(project, "src"));
    symlinkSync(secret, join(project, "link.js"));
    symlinkSync(outside, join(project, "folder"));
    symlinkSync("/dev/zero", join(project, "zero.js"));
    execFileSync("mkfifo", [join(project, "pipe.js")]);
    const page = pathToFileURL(join(project, "index.html")).href;
    const own = await new SourceMaps(project).locate(at(pathToFileURL(join(project, "own.js")).href), page);
    expect(own.line).toBe(2);
    const paths = ["link.js", "folder/secret.js", "zero.js", "pipe.js", "src", `..${secret}`];
    for (const path of paths) await unmapped(pathToFileURL(join(project, path)).href, page, project);
    for (const path of [secret, "/dev/zero", "/dev/stdin"]) await unmapped(`file://${path}`, page, project);
    // A page of a server may not name files at all, and not leave the project by its path.
    const server = await site((_, r) => r.writeHead(404).end());
    await unmapped(`file://${secret}`, `${server.url}/`, project);
    for (const path of ["link.js", "folder/secret.js", "zero.js", "%2e%2e/%2e%2e/etc/hostname"])
      await unmapped(`${server.url}/${path}`, `${server.url}/`, project);
  });

  it("cannot fill the memory with a bomb", async () => {
    const bomb = gzipSync(Buffer.alloc(400_000_000), { level: 1 });
    const page = await site((_, r) => r.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    const before = process.memoryUsage().rss;
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    await unmapped(`${page.url}/a.js`, `${page.url}/`);
    clearInterval(timer);
    expect(peak - before).toBeLessThan(250_000_000);
  });
});

describe("V9: a script that ends in a hostile comment", () => {
  it.each([
    ["blanks", `//# sourceMappingURL=a${" ".repeat(5_000_000)}x`],
    ["many comments", `${"//# sourceMappingURL=a ".repeat(300_000)}x`],
    ["stars", `/*# sourceMappingURL=a${"*".repeat(5_000_000)}`],
    ["a long name", `//# sourceMappingURL=${"a".repeat(5_000_000)} x`],
  ])("with %s does not stop the process", async (_, script) => {
    const page = await site((_request, response) => response.end(script));
    const cpuBefore = process.cpuUsage();
    await new SourceMaps(temporaryFolder()).locate(at(`${page.url}/a.js`), `${page.url}/`);
    expect(process.cpuUsage(cpuBefore).user / 1_000).toBeLessThan(2_000);
  });

  it("does not stop it by the lines of a stack", async () => {
    const lines = [
      `    at ${"http://".repeat(100_000)}`,
      `    at ${"(http://a:1:".repeat(50_000)}`,
      `${" ".repeat(500_000)}at x`,
      `    at ${":1".repeat(300_000)}`,
    ];
    const cpuBefore = process.cpuUsage();
    const stack = lines.join("\n");
    expect(await new SourceMaps().mapStack(stack, "http://localhost:1/")).toBe(stack);
    expect(process.cpuUsage(cpuBefore).user / 1_000).toBeLessThan(2_000);
  });
});

it("V9: debug-bridge console asks no other port for a page that names it", async () => {
  const victim = await site((_, response) => response.end(`x()\n${INLINE}`));
  const home = temporaryFolder();
  const { ready } = await startUp([], home);
  const shown = start(process.execPath, [CLI, ...["console", "--hub", ready.hub, "--home", home]]);
  const client = await ConsoleClient.greeted(ready.console);
  const stack = `Error: x\n    at a (${victim.url}/restart:1:1)`;
  const forged = {
    method: "error",
    args: [{ type: "error", value: "forged", stack }],
    location: { url: `${victim.url}/restart`, line: 1, column: 1 },
  };
  await until(async () => {
    client.send("console_event", forged, { source: { ...SOURCE, url: "http://localhost:3000/" } });
    await new Promise((resolve) => setTimeout(resolve, 50));
    return shown.output.stdout.includes("forged");
  });
  client.log("the end");
  await until(() => shown.output.stdout.includes("the end"));
  expect(victim.asked).toEqual([]);
});
