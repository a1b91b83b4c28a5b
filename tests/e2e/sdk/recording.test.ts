import { describe, expect, test } from "vitest";
import { waitUntil } from "./fake-hub.js";
import { setStage } from "./stage.js";

const stage = setStage();

const PAGE = `<h1>Shop</h1>
<ul><li>Apples <button>Remove</button></li><li>Pears <button>Remove</button></li></ul>
<form onsubmit="event.preventDefault()"><label>E-mail <input name="email"></label>
<label>Password <input type="password" name="password"></label><button data-testid="in">Sign in</button></form>
<label><input type="checkbox"> Keep me</label>
<label>Country <select><option>Austria</option><option>Norway</option></select></label>
<input type="file" aria-label="Photo"><div id="plain" onclick="document.querySelector('[data-testid=in]').click()">Plain text</div>`;

/** What the hub got to know, without what differs from run to run. */
const interactions = () =>
  stage.hub.of("interaction").map(({ action, locators, value, secret, committed, key, files, synthetic }) => {
    const [first] = locators;
    const { by, role, value: name, inside } = first ?? {};
    const where = by === "role" ? `${role} ${name}` : `${by} ${name}`;
    return {
      ...{ action, where: first ? (inside ? `${where} in ${inside.role} ${inside.text}` : where) : "page" },
      ...Object.fromEntries(
        Object.entries({ value, secret, committed, key, files, synthetic }).filter(
          ([, each]) => each !== undefined,
        ),
      ),
    };
  });

async function open(): Promise<void> {
  stage.hub.welcome = () => ({ lastSeq: 0, agents: 0 });
  await stage.open(PAGE, "");
  await stage.hub.waitFor("ui_tree");
}

const until = (count: number): Promise<unknown> =>
  waitUntil(
    () => interactions().length >= count,
    () => `${count} interactions; got ${JSON.stringify(interactions())}`,
  );

describe("recording in an app with the SDK", () => {
  test("has what the person did in a page that was recorded when it was loaded, before the hub could say so", async () => {
    // A view that is gone when the part that records has come.
    const body = `${PAGE}<button id="start" onclick="this.remove()">Start</button>
<my-box></my-box><script>customElements.define("my-box", class extends HTMLElement {
  constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = "<button>Inside</button>"; }
});</script>`;
    stage.hub.welcome = () => ({ lastSeq: 0, agents: 0 });
    await stage.open(body, "");
    const { page } = stage;
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByLabel("E-mail").fill("a@b.c");
    await page.getByLabel("Password").fill("hunter2hunter2");
    await page.getByLabel("Password").press("Enter");
    await page.getByRole("button", { name: "Inside" }).click();
    const done = Date.now();
    const loaded = await page.evaluate(() => performance.timeOrigin);
    await page.waitForTimeout(50);
    expect(await stage.hub.run({ type: "record_actions", on: true, fromStart: true })).toMatchObject({
      success: true,
    });
    await until(7);
    await page.getByTestId("in").click();
    await until(8);
    expect(interactions()).toEqual([
      { action: "click", where: "button Start" },
      { action: "fill", where: "textbox E-mail", value: "a@b.c" },
      { action: "fill", where: "textbox E-mail", value: "a@b.c", committed: true },
      { action: "fill", where: "textbox Password", secret: "password" },
      { action: "press", where: "textbox Password", key: "Enter" },
      { action: "fill", where: "textbox Password", secret: "password", committed: true },
      { action: "click", where: "button Inside" },
      { action: "click", where: "testid in" },
    ]);
    const times = stage.hub.of("interaction").map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(Math.floor(loaded));
    expect(times.at(-2)).toBeLessThanOrEqual(done);
    expect(JSON.stringify(stage.hub.of("interaction"))).not.toContain("hunter2");
  });

  test("has nothing of what was done before somebody started it", async () => {
    await open();
    await stage.page.getByTestId("in").click();
    await stage.hub.run({ type: "record_actions", on: true });
    await stage.page.getByRole("button", { name: "Remove" }).first().click();
    await until(1);
    expect(interactions()).toEqual([{ action: "click", where: "button Remove in listitem Apples" }]);
    // Nor does it have them when the hub asks again.
    await stage.hub.run({ type: "record_actions", on: true, fromStart: true });
    await stage.page.getByTestId("in").click();
    await until(2);
    expect(interactions()).toHaveLength(2);
  });

  test("reports what the person does, with the most robust way to find each element, and no secret", async () => {
    await open();
    expect(await stage.hub.run({ type: "record_actions", on: true })).toMatchObject({ success: true });
    expect(stage.hub.of("recording_start")).toMatchObject([{ url: `${stage.hub.origin}/`, width: 1280 }]);
    const { page } = stage;
    await page.getByRole("button", { name: "Remove" }).nth(1).click();
    await page.getByLabel("E-mail").fill("a@b.c");
    await page.getByLabel("Password").fill("hunter2hunter2");
    await page.getByLabel("Password").press("Enter");
    await page.getByText("Keep me").click();
    await page.getByLabel("Country").focus();
    await page.keyboard.press("n");
    await page
      .getByLabel("Photo")
      .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: Buffer.from("x") });
    await page.keyboard.press("Control+k");
    await page.getByTestId("in").click();
    await until(11);
    expect(interactions()).toEqual([
      { action: "click", where: "button Remove in listitem Pears" },
      { action: "fill", where: "textbox E-mail", value: "a@b.c" },
      { action: "fill", where: "textbox E-mail", value: "a@b.c", committed: true },
      { action: "fill", where: "textbox Password", secret: "password" },
      { action: "press", where: "textbox Password", key: "Enter" },
      { action: "fill", where: "textbox Password", secret: "password", committed: true },
      { action: "check", where: "checkbox Keep me" },
      { action: "select", where: "combobox Country", value: "Norway" },
      { action: "upload", where: "label Photo", files: ["me.png"], synthetic: true },
      { action: "press", where: expect.any(String), key: "Control+k" },
      { action: "click", where: "testid in" },
    ]);
    expect(JSON.stringify(stage.hub.messages)).not.toContain("hunter2");
  });

  test("marks what scripts do, so that a replay can distinguish an agent's click from the app's own", async () => {
    await open();
    await stage.hub.run({ type: "record_actions", on: true });
    await stage.hub.run({ type: "click", target: { selector: "#plain" } });
    await until(2);
    expect(interactions()).toEqual([
      { action: "click", where: "text Plain text", synthetic: true },
      { action: "click", where: "testid in", synthetic: true },
    ]);
  });

  test("bodies of requests are reported while it records, and not before or after", async () => {
    await open();
    stage.hub.pages["/api"] = '{"total":3}';
    const bodies = () => stage.hub.of("network").flatMap(({ body }) => body ?? []);
    const ask = () =>
      stage.page.evaluate(() => fetch("/api", { method: "POST", body: "asked" }).then((r) => r.text()));
    await ask();
    await stage.hub.run({ type: "record_actions", on: true });
    await ask();
    await waitUntil(
      () => bodies().length >= 2,
      () => `two bodies; got ${bodies()}`,
    );
    await stage.hub.run({ type: "record_actions", on: false });
    await ask();
    await stage.page.getByTestId("in").click();
    await stage.hub.run({ type: "request_ui_tree", format: "text" });
    expect(bodies()).toEqual(["asked", '{"total":3}']);
    expect(interactions()).toEqual([]);
  });
});
