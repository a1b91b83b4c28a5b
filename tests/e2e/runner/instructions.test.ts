import { existsSync, readFileSync } from "node:fs";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { selfSigned } from "../../support/hub/self-signed.js";
import { linesOf, serve, stage } from "./stage.js";

const start = (url: string, more = ""): string => `<type>start</type><url>${url}</url>${more}`;

describe("instructions beyond the first ones", () => {
  it("observe shows the page after a click that navigated, with refs that work [RUN-137]", async () => {
    const url = await serve({
      "/": `<title>One</title><a href="/two">Go on</a>`,
      "/two": `<title>Two</title><h1>Second page</h1><main><button onclick="document.title='pressed'">Press</button>${"<p>Some words of text</p>".repeat(300)}</main>`,
    });
    const { run } = stage();
    await run(start(url));
    await run("<type>click</type><targets>Go on</targets>");
    const seen = (await run("<type>observe</type><maxTokens>300</maxTokens>")).result as Record<
      string,
      string
    >;
    expect(seen).toMatchObject({
      url: `${url}/two`,
      title: "Two",
      ui: expect.stringContaining("Second page"),
    });
    const ref = /(e\d+) button "Press"/.exec(seen.ui ?? "")?.[1];
    expect(await run(`<type>click</type><ref>${ref}</ref>`)).toMatchObject({ success: true });
    const rest = await run(`<type>observe</type><cursor>${seen.cursor}</cursor>`);
    expect((rest.result as { ui: string }).ui).toContain("Some words of text");
    const part = await run("<type>observe</type><targets>Press</targets>");
    expect((part.result as { ui: string }).ui).not.toContain("Second page");
  });

  it("dialog decides how confirm and prompt are answered [RUN-138]", async () => {
    const url = await serve({
      "/": `<title>-</title><button onclick="out.textContent = confirm('Sure?') + ' ' + prompt('Name?')">Ask</button><p id="out"></p>`,
    });
    const { run } = stage();
    await run(start(url));
    const out = async (): Promise<unknown> =>
      ((await run("<type>evaluate</type><code>out.textContent</code>")).result as { value: unknown }).value;
    await run("<type>click</type><targets>Ask</targets>");
    expect(await out()).toBe("false null");
    await run("<type>dialog</type><answer>accept</answer><text>Ada</text><for>all</for>");
    const asked = await run("<type>click</type><targets>Ask</targets>");
    expect(linesOf(asked).join("\n")).toContain("Sure? answered OK");
    expect(await out()).toBe("true Ada");
  });

  it("upload chooses files by their contents, and by path only if files are allowed [RUN-139]", async () => {
    const url = await serve({
      "/": `<title>-</title><label>Photo <input type="file" onchange="files[0].text().then((t) => out.textContent = files[0].name + ': ' + t)"></label><p id="out"></p>`,
    });
    const { run } = stage();
    await run(start(url));
    const sent = await run(
      `<type>upload</type><targets>Photo</targets><files>[{"name": "a.txt", "text": "hello"}]</files>`,
    );
    expect(sent).toMatchObject({ success: true });
    await run("<type>wait</type><text>a.txt: hello</text>");
    expect(
      await run(`<type>upload</type><targets>Photo</targets><files>[{"path": "/etc/hostname"}]</files>`),
    ).toMatchObject({
      success: false,
      error: { code: "not_supported", message: expect.stringContaining("--allow-files") },
    });
    expect(await run("<type>upload</type><files>[]</files>")).toMatchObject({
      error: { code: "invalid_message" },
    });
  });

  it("switch follows a page that was opened, and returns; screenshots work meanwhile [RUN-140, RUN-141]", async () => {
    const url = await serve({
      "/": `<title>Main</title><button onclick="window.open('/popup')">Open</button>`,
      "/popup": `<title>Popup</title><button onclick="console.log('in the popup'); window.close()">Done</button>`,
    });
    const { run } = stage();
    await run(start(url));
    const opened = await run("<type>click</type><targets>Open</targets>");
    expect(opened.receipt?.opened).toMatchObject([{ url: `${url}/popup` }]);
    for (let i = 0; i < 4; i++)
      expect(await run("<type>screenshot</type>")).toMatchObject({
        success: true,
        screenshots: { post: {} },
      });
    expect(
      await run(
        "<type>click</type><targets>Open</targets><visualVerify>true</visualVerify><visualThreshold>0</visualThreshold>",
      ),
    ).toMatchObject({ success: true });
    expect(await run("<type>switch</type><page>2</page>")).toMatchObject({
      result: { title: "Popup", url: `${url}/popup` },
    });
    expect(await run("<type>screenshot</type>")).toMatchObject({ success: true });
    const done = await run("<type>click</type><targets>Done</targets>");
    expect(linesOf(done).join("\n")).toContain("in the popup");
    expect(await run("<type>observe</type>")).toMatchObject({ result: { title: "Main" } });
    expect(await run("<type>switch</type><page>9</page>")).toMatchObject({
      error: { code: "target_not_found", message: expect.stringContaining("1, 3"), hint: expect.any(String) },
    });
  });

  it("start reports headers and bodies on request, without their secrets [RUN-142]", async () => {
    const url = await serve({
      "/": `<title>-</title><script>fetch("/api", { method: "post", headers: { authorization: "Bearer t0p", "x-shop": "one" }, body: '{"password":"s3cret","size":"l"}' }).then((r) => r.text())</script>`,
      "/api": (_request, response) =>
        response
          .setHeader("content-type", "application/json")
          .setHeader("set-cookie", "sid=abc123")
          .setHeader("x-answer", "yes")
          .end('{"total": 7}'),
    });
    const { run } = stage();
    const find = (events: readonly { url: string }[]) => events.find((event) => event.url.endsWith("/api"));
    const plain = await run(start(url, "<waitUntil>networkidle0</waitUntil>"));
    expect(find(plain.networkEvents)).not.toHaveProperty("responseBody");
    const full = await run(
      start(url, "<waitUntil>networkidle0</waitUntil><networkDetails>true</networkDetails>"),
    );
    const api = find(full.networkEvents);
    expect(api).toMatchObject({
      requestHeaders: { "x-shop": "one" },
      responseHeaders: { "x-answer": "yes" },
      requestBody: expect.stringContaining('"size":"l"'),
      responseBody: '{"total": 7}',
    });
    for (const secret of ["t0p", "s3cret", "abc123"]) expect(JSON.stringify(full)).not.toContain(secret);
  });

  it("start accepts a self-signed certificate of this machine on request, and of no other host [RUN-143]", async () => {
    const server = createSecureServer(selfSigned(), (_, response) =>
      response.end("<title>Safe</title><p>Hello"),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as AddressInfo;
    const { run } = stage();
    const refused = await run(start(`https://localhost:${port}/`));
    expect(refused.error?.hint).toContain("acceptInsecureCerts");
    const accept = "<acceptInsecureCerts>true</acceptInsecureCerts>";
    expect(await run(start(`https://localhost:${port}/`, accept))).toMatchObject({
      success: true,
      result: { title: "Safe" },
    });
    // Leads to this machine, and does not say so.
    const other = await run(`<type>navigate</type><url>https://0.0.0.0:${port}/</url>`);
    expect(other.success).toBe(false);
    expect(linesOf(other).join("\n")).toMatch(
      /ERR_CERT_\w+: the certificate of 0\.0\.0\.0:\d+, which is not this machine/,
    );
  });

  it("a download is in the folder of the session [RUN-144]", async () => {
    const url = await serve({
      "/": `<title>-</title><a href="/file" download="list.txt">Get</a>`,
      "/file": (_request, response) => response.setHeader("content-disposition", "attachment").end("a list"),
    });
    const { home, run } = stage();
    await run(start(url));
    const got = await run("<type>click</type><targets>Get</targets>");
    const path = got.receipt?.downloads?.[0]?.path ?? join(home, "downloads", "s", "list.txt");
    expect(path.startsWith(join(home, "downloads"))).toBe(true);
    await expect.poll(() => existsSync(path) && readFileSync(path, "utf8")).toBe("a list");
  });
});
