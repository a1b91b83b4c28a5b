import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleScript, root } from "./browser.js";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

const SECRET = 'h&nter<22>"x';

describe("masking", () => {
  test("[ARC-072] a password that is typed appears in no message and no answer", async () => {
    const page = await browser.open(
      `<form><input id="p" type="password"><button type="button" id="show">Show</button><p id="echo"></p></form><script>
        p.oninput = () => { console.log("typed", p.value, { password: p.value }); p.setAttribute("value", p.value); echo.textContent = p.value; };
        show.onclick = () => { p.type = "text"; fetch("/api/login?pw=" + encodeURIComponent(p.value), { method: "POST", body: JSON.stringify({ user: "ada", field: p.value }) }).catch(() => {});
          history.pushState({}, "", "/next?q=" + encodeURIComponent(p.value)); };</script>`,
      { captureBodies: true },
      `globalThis.engineOptions = { getCustomState: () => ({ form: { password: document.querySelector("#p")?.value, copy: document.querySelector("#p")?.value } }) };`,
    );
    await page.page.route("http://app.test/api/**", (route) => route.fulfill({ json: {} }));
    await page.announce();
    const answers: unknown[] = [];
    answers.push(await page.run({ type: "type", target: { selector: "#p" }, text: SECRET }));
    expect(await page.page.inputValue("#p")).toBe(SECRET);
    answers.push(await page.run({ type: "click", target: { text: "Show" } }));
    answers.push(
      await page.run({ type: "request_dom_snapshot" }),
      await page.run({ type: "request_ui_tree" }),
    );
    answers.push(
      await page.run({ type: "request_ui_tree", format: "text" }),
      await page.run({ type: "get_state" }),
    );
    answers.push(
      await page.run({ type: "evaluate", code: "p.value" }),
      await page.run({ type: "evaluate", code: "({ html: document.body.innerHTML })" }),
    );
    await page.waitForMessage("dom_mutations");
    await page.waitForMessage("network", ({ phase }) => phase === "response");
    const sent = JSON.stringify([answers, await page.allMessages()]);
    for (const form of [
      SECRET,
      JSON.stringify(SECRET).slice(1, -1),
      "h&amp;nter&lt;22&gt;",
      encodeURIComponent(SECRET),
      "nter<22",
      "nter%3C22",
    ]) {
      const escaped = JSON.stringify(form).slice(1, -1);
      expect(
        sent.includes(escaped),
        `${form} in ${sent.slice(Math.max(0, sent.indexOf(escaped) - 300), sent.indexOf(escaped) + 60)}`,
      ).toBe(false);
    }
    expect(sent).toContain("•••");
  });

  test("[ARC-072] a password that a person types stays hidden after the form is emptied", async () => {
    const page = await browser.open(
      `<input id="p" type="password"><script>p.onchange = () => { const v = p.value; p.value = ""; setTimeout(() => console.log("sent", v)) }</script>`,
    );
    await page.page.locator("#p").pressSequentially("correct horse");
    await page.page.keyboard.press("Tab");
    const line = await page.waitForMessage("console");
    expect(line.args).toEqual(["sent", "•••"]);
  });

  test("[ARC-072] React's password in the value attribute is masked in raw HTML", async () => {
    const react = await bundleScript(`${root}tests/e2e/page/fixtures/react-password.ts`, "fixture");
    const page = await browser.open(`<div id="app"></div>`);
    await page.page.addScriptTag({ content: react });
    await page.page.locator("input").waitFor();
    await page.announce();
    await page.run({ type: "type", target: { selector: "input" }, text: "hunter22" });
    expect(await page.page.locator("input").getAttribute("value")).toBe("hunter22");
    await page.run({ type: "request_dom_snapshot" });
    await page.waitForMessage("dom_mutations");
    const sent = JSON.stringify(await page.allMessages());
    expect(sent).not.toContain("hunter22");
    expect(sent).toContain('value=\\"•••\\"');
  });

  test("fields and attributes that are called like a secret, by autocomplete and by name", async () => {
    const page =
      await browser.open(`<meta name="csrf-token" content="csrf-abc"><input name="api_key" value="key-abc"><input autocomplete="cc-number" value="4111-abc">
      <input autocomplete="one-time-code" value="otp-abc"><input type="hidden" name="session_token" value="hid-abc"><input name="city" value="Paris">
      <a href="/x?page=2&token=url-abc" data-auth-token="data-abc">L</a><script type="application/json">{"user":"ada","secret":"script-abc"}</script>`);
    await page.announce();
    const sent = JSON.stringify(await page.allMessages());
    expect(sent).not.toMatch(/-abc/);
    expect(sent).toContain("Paris");
    expect(sent).toContain("page=2");
  });

  test("[ARC-073] data-bridge-mask and redact hide what the app marks, everywhere", async () => {
    const page = await browser.open(
      `<div data-bridge-mask><p>private words</p><button>private button</button><input value="private value"></div><p class="salary">private 5000</p><input name="iban" value="private DE1"><p id="open">open</p>`,
      { redact: [".salary", "iban"] },
      `globalThis.engineOptions = { getCustomState: () => ({ user: { iban: "private DE2", name: "Ada" } }) };`,
    );
    await page.announce();
    await page.page.evaluate(() => {
      const box = document.querySelector("[data-bridge-mask]") as Element;
      (box.firstElementChild as Element).textContent = "private more";
      box.append("private tail");
      (document.querySelector(".salary") as Element).textContent = "private 6000";
    });
    await page.waitForMessage("dom_mutations");
    const text = await page.text();
    const sent = JSON.stringify([await page.allMessages(), text]);
    expect(sent).not.toContain("private ");
    expect(sent).toContain("Ada");
    expect(text).toContain("open");
  });

  test("[ARC-073] redact may be a function; one that throws hides rather than shows", async () => {
    const page = await browser.open(
      `<p class="pay">private 5000</p><p>open</p>`,
      {},
      `globalThis.engineOptions = {
        redact: ({ key, element }) => key === "iban" || (key === "broken" && undefined.x) || element?.matches(".pay") === true,
        getCustomState: () => ({ user: { iban: "private DE2", broken: "private b", name: "Ada" } }),
      };`,
    );
    await page.announce();
    const sent = JSON.stringify([await page.allMessages(), await page.text()]);
    expect(sent).not.toContain("private ");
    expect(sent).toContain("Ada");
    expect(sent).toContain("open");
  });

  test("without secrets, a snapshot is the document's own HTML", async () => {
    const page = await browser.open(
      `<p title='a "b" &amp; c'>x &lt; y&nbsp;z</p><br><input value="v"><textarea>t</textarea><svg viewBox="0 0 1 1"><path d="M0 0"/></svg><!-- c --><template><b>in</b></template>`,
    );
    await page.announce();
    const [snapshot] = await page.messages("dom_snapshot");
    expect(snapshot?.html).toBe(await page.page.evaluate(() => document.documentElement.outerHTML));
  });
});
