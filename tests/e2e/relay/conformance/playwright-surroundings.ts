import type { PlaywrightCases } from "./case.js";

const json = "fetch('/json').then((r) => r.json())";

export const surroundingCases: PlaywrightCases = {
  "console messages": async ({ page }) => {
    const seen: string[] = [];
    page.on("console", (message) => seen.push(`${message.type()}: ${message.text()}`));
    await page.evaluate(
      "console.log('a', 1, {b: 2}); console.warn('w'); console.error(new Error('e').message)",
    );
    await page.waitForTimeout(50);
    return seen;
  },
  "console arguments": async ({ page }) => {
    const [message] = await Promise.all([
      page.waitForEvent("console"),
      page.evaluate("console.log({deep: {x: 1}})"),
    ]);
    return message.args()[0]?.jsonValue();
  },
  "uncaught errors": async ({ page }) => {
    const [error] = await Promise.all([
      page.waitForEvent("pageerror"),
      page.evaluate("setTimeout(() => { throw new RangeError('oops') })"),
    ]);
    return [error.name, error.message];
  },
  "requests and responses": async ({ page, url }) => {
    const seen: string[] = [];
    page.on("request", (request) => seen.push(`> ${request.method()} ${new URL(request.url()).pathname}`));
    page.on("response", (response) =>
      seen.push(`< ${response.status()} ${new URL(response.url()).pathname}`),
    );
    await page.goto(url("/second"));
    await page.evaluate("fetch('/none')");
    return seen.filter((line) => !line.includes("favicon"));
  },
  "waitForResponse and its body": async ({ page }) => {
    const [response] = await Promise.all([
      page.waitForResponse("**/json?x=1"),
      page.evaluate("fetch('/json?x=1').then((r) => r.text()).then(() => 0)"),
    ]);
    return ((await response.json()) as { query: object }).query;
  },
  "a request's post data": async ({ page }) => {
    const [request] = await Promise.all([
      page.waitForRequest("**/echo"),
      page.evaluate("void fetch('/echo', {method: 'POST', body: 'hello'})"),
    ]);
    return [request.method(), request.postData(), request.resourceType()];
  },
  "a request that fails": async ({ page }) => {
    const [request] = await Promise.all([
      page.waitForEvent("requestfailed"),
      page.evaluate("void fetch('http://127.0.0.1:1/').catch(() => {})"),
    ]);
    return request.failure()?.errorText;
  },
  "route: fulfil": async ({ page }) => {
    await page.route("**/json", (route) => route.fulfill({ json: { a: 1 }, headers: { "x-made": "up" } }));
    return page.evaluate(json);
  },
  "route: abort": async ({ page }) => {
    await page.route("**/json", (route) => route.abort());
    return page.evaluate("fetch('/json').catch((e) => e.name)");
  },
  "route: change and pass on": async ({ page }) => {
    await page.route("**/json", (route) =>
      route.continue({ headers: { ...route.request().headers(), "x-added": "yes" } }),
    );
    return page.evaluate(`${json}.then((j) => j.headers['x-added'])`);
  },
  "route: fetch and change the answer": async ({ page }) => {
    await page.route("**/json?q=1", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { was: ((await response.json()) as { query: object }).query } });
    });
    return page.evaluate("fetch('/json?q=1').then((r) => r.json())");
  },
  "route: the page itself": async ({ page, url }) => {
    await page.route("**/second", (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Made up</title>" }),
    );
    await page.goto(url("/second"));
    return page.title();
  },
  "route: of the whole context": async ({ context, page }) => {
    await context.route("**/json", (route) => route.fulfill({ json: [7] }));
    const result = await page.evaluate(json);
    await context.unrouteAll();
    return result;
  },
  "extra headers": async ({ page }) => {
    await page.setExtraHTTPHeaders({ "x-extra": "1" });
    const result = await page.evaluate(`${json}.then((j) => j.headers['x-extra'])`);
    await page.setExtraHTTPHeaders({});
    return result;
  },
  offline: async ({ context, page }) => {
    await context.setOffline(true);
    const off = await page.evaluate("[navigator.onLine, fetch('/json').catch(() => 0)]");
    await context.setOffline(false);
    return [(off as unknown[])[0], await page.evaluate("navigator.onLine")];
  },
  "cookies: set, read, clear": async ({ context, page, url }) => {
    await context.addCookies([{ name: "c1", value: "v1", url: url("/") }]);
    const seen = await page.evaluate("document.cookie.includes('c1=v1')");
    const names = (await context.cookies(url("/")))
      .filter(({ name }) => name === "c1")
      .map(({ value }) => value);
    await context.clearCookies({ name: "c1" });
    return [seen, names, await page.evaluate("document.cookie.includes('c1')")];
  },
  "local and session storage": async ({ page }) => {
    await page.evaluate("localStorage.k = 'v'; sessionStorage.k = 's'");
    await page.reload();
    const kept = await page.evaluate("[localStorage.k, sessionStorage.k]");
    await page.evaluate("localStorage.clear(); sessionStorage.clear()");
    return kept;
  },
  "alert, confirm and prompt": async ({ page }) => {
    const seen: string[] = [];
    page.on("dialog", async (dialog) => {
      seen.push(`${dialog.type()}: ${dialog.message()} [${dialog.defaultValue()}]`);
      await (dialog.type() === "confirm" ? dialog.dismiss() : dialog.accept("typed"));
    });
    const answers = await page.evaluate("[alert('a'), confirm('b'), prompt('c', 'd')]");
    return [seen, answers];
  },
  "a dialog that nobody answers is dismissed": ({ page }) => page.evaluate("confirm('?')"),
  beforeunload: async ({ page, url }) => {
    await page.evaluate("window.onbeforeunload = () => 'stay'");
    await page.click("h1");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.goto(url("/second"));
    return page.title();
  },
  upload: async ({ page, url }) => {
    await page.goto(url("/upload"));
    await page.setInputFiles("#file", [
      { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("A") },
      { name: "b.txt", mimeType: "text/plain", buffer: Buffer.from("B") },
    ]);
    await page.waitForFunction("out.textContent");
    return page.textContent("#out");
  },
  "a file chooser": async ({ page, url }) => {
    await page.goto(url("/upload"));
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#file")]);
    await chooser.setFiles([{ name: "c.txt", mimeType: "text/plain", buffer: Buffer.from("C") }]);
    await page.waitForFunction("out.textContent");
    return [chooser.isMultiple(), await page.textContent("#out")];
  },
  "a download": async ({ page }) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download")]);
    const stream = await download.createReadStream();
    let text = "";
    for await (const part of stream) text += part;
    return [download.suggestedFilename(), text, await download.failure()];
  },
  "a download by script": async ({ page }) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.evaluate(
        "const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['made'])); a.download = 'made.txt'; a.click()",
      ),
    ]);
    const stream = await download.createReadStream();
    let text = "";
    for await (const part of stream) text += part;
    return [download.suggestedFilename(), text];
  },
  viewport: async ({ page }) => {
    await page.setViewportSize({ width: 700, height: 500 });
    return page.evaluate("[innerWidth, innerHeight]");
  },
  "emulated media and colour scheme": async ({ page }) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark", reducedMotion: "reduce" });
    const result = await page.evaluate(
      "['print', '(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)'].map((q) => matchMedia(q).matches)",
    );
    await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null });
    return result;
  },
  geolocation: async ({ context, page, url }) => {
    await context.grantPermissions(["geolocation"], { origin: new URL(url("/")).origin });
    await context.setGeolocation({ latitude: 10, longitude: 20 });
    const at = await page.evaluate(
      "new Promise((resolve) => navigator.geolocation.getCurrentPosition((p) => resolve([p.coords.latitude, p.coords.longitude]), (e) => resolve(e.message)))",
    );
    await context.clearPermissions();
    return at;
  },
  "a picture of the page": async ({ page }) => {
    await page.setViewportSize({ width: 400, height: 300 });
    const png = await page.screenshot();
    return [png.readUInt32BE(16), png.readUInt32BE(20)];
  },
  "a picture of all of the page": async ({ page }) => {
    await page.setViewportSize({ width: 400, height: 300 });
    await page.setContent(`<body style="margin:0"><div style="height:900px;width:100px"></div>`);
    const png = await page.screenshot({ fullPage: true });
    return [png.readUInt32BE(16), png.readUInt32BE(20)];
  },
  "a picture of an element, as JPEG": async ({ page }) => {
    const jpeg = await page.locator("h1").screenshot({ type: "jpeg", quality: 30 });
    return jpeg.subarray(0, 2).toString("hex");
  },
  "a PDF": async ({ page }) => (await page.pdf()).subarray(0, 5).toString(),
  "a CDP session": async ({ context, page }) => {
    const session = await context.newCDPSession(page);
    const { result } = await session.send("Runtime.evaluate", { expression: "1 + 1" });
    await session.send("Network.enable");
    const seen = new Promise((resolve) => session.on("Network.requestWillBeSent", () => resolve("request")));
    await page.evaluate("void fetch('/json')");
    const received = await seen;
    await session.detach();
    return [result.value, received, await page.title()];
  },
  "websockets that fail": async ({ page }) => {
    const [socket] = await Promise.all([
      page.waitForEvent("websocket"),
      page.evaluate("void new WebSocket('ws://127.0.0.1:1/x')"),
    ]);
    return socket.url();
  },
  "a paused page: locator handlers": async ({ page }) => {
    await page.setContent(
      `<div id=cover style="position:fixed;inset:0" onclick="this.remove()">cover</div><button onclick="this.textContent='ok'">go</button>`,
    );
    await page.addLocatorHandler(page.locator("#cover"), (cover) => cover.click());
    await page.getByRole("button").click();
    return page.getByRole("button").textContent();
  },
  // It changes the page for good, so it comes last.
  "the clock": async ({ page, url }) => {
    await page.clock.install({ time: 1_000 });
    await page.goto(url("/second"));
    await page.clock.runFor(5_000);
    return page.evaluate("Date.now() >= 6000 && Date.now() < 60000");
  },
};
