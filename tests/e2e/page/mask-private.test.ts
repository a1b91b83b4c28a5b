import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser, type EnginePage } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

/** Fails with what stands around the leak. */
async function expectNothingOf(page: EnginePage, secrets: RegExp, ...answers: unknown[]): Promise<void> {
  const sent = JSON.stringify([answers, await page.allMessages(), await page.tree(), await page.text()]);
  const found = secrets.exec(sent);
  expect(found && sent.slice(Math.max(0, found.index - 200), found.index + 60)).toBeNull();
}

const settled = (page: EnginePage): Promise<void> => page.page.waitForTimeout(200);

describe("what is marked private", () => {
  test("[ARC-073] a snapshot of something inside it reveals nothing", async () => {
    const page = await browser.open(
      `<div data-bridge-mask><p id="inner">SECRET <b id="deep">SECRET</b></p></div><p id="open">open</p>`,
    );
    for (const selector of ["#inner", "#deep"]) {
      await page.run({ type: "request_dom_snapshot", target: { selector } });
    }
    await page.run({ type: "request_dom_snapshot", target: { selector: "#open" } });
    const snapshots = (await page.messages("dom_snapshot")).map(({ html }) => html);
    expect(snapshots).toEqual(["•••", "•••", '<p id="open">open</p>']);
  });

  test("[ARC-073] changes in shadow roots and frames below it are hidden", async () => {
    const page = await browser.open(
      `<div data-bridge-mask><x-a id="host"></x-a><iframe id="frame" srcdoc="<p>SECRET 0</p>"></iframe></div>
       <x-b id="wrap"><span id="slotted">SECRET 1</span></x-b>
       <script>host.attachShadow({ mode: "open" }).innerHTML = "<p>SECRE" + "T 2</p>";
         wrap.attachShadow({ mode: "open" }).innerHTML = "<div data-bridge-mask><slot></slot></div>";</script>`,
    );
    await page.page.frameLocator("#frame").locator("p").waitFor();
    await page.announce();
    await page.page.evaluate(() => {
      const root = document.getElementById("host")?.shadowRoot as ShadowRoot;
      root.append("SECRET 3");
      root.append(Object.assign(document.createElement("p"), { textContent: "SECRET 4" }));
      const inside = (document.getElementById("frame") as HTMLIFrameElement).contentDocument as Document;
      inside.body.append("SECRET 5");
      (document.getElementById("slotted") as Element).append("SECRET 6");
    });
    await settled(page);
    await page.page.evaluate(() => {
      const root = document.getElementById("host")?.shadowRoot as ShadowRoot;
      (root.childNodes[1] as Text).data = "SECRET 7";
      root.firstChild?.remove();
    });
    await settled(page);
    expect((await page.messages("dom_mutations")).length).toBeGreaterThan(1);
    await expectNothingOf(page, /SECRET \d/);
  });

  test("[ARC-073] no name and no text of anything else repeats it", async () => {
    const page = await browser.open(`
      <h2>Account <i data-bridge-mask>SECRET 1</i></h2><a href="#a">link</a>
      <button id="pay">Pay with <b data-bridge-mask>SECRET 2</b></button>
      <span id="by" data-bridge-mask>SECRET 3</span><button aria-labelledby="by">x</button>
      <label>Choose <select data-bridge-mask><option>SECRET 4</option><option>SECRET 5</option></select></label>
      <label><input type="checkbox"> send to <input data-bridge-mask value="SECRET 6"></label>
      <label for="f" data-bridge-mask>SECRET 7</label><input id="f">
      <div role="dialog" data-bridge-mask aria-label="SECRET 8"><button>SECRET 9</button></div>
      <table><tr><td>Ada <span data-bridge-mask>SECRET 10</span></td></tr></table>
      <p role="status">Sent to <span data-bridge-mask>SECRET 11</span></p>
      <p>Hello <span data-bridge-mask>SECRET 12</span> there</p>
      <div contenteditable>Edit <span data-bridge-mask>SECRET 13</span></div>
      <div onclick="1">Card <p>of</p> <span data-bridge-mask>SECRET 14</span></div>
      <section aria-labelledby="by"><p>inside</p></section>
      <label><input type="radio"> code <input type="password" value="xyz"></label>`);
    await page.announce();
    const answer = await page.run({ type: "click", target: { selector: "#pay" } });
    await expectNothingOf(page, /SECRET|xyz/, answer);
    const text = await page.text();
    for (const open of ['button "Pay with •••"', "## Account •••", "Ada •••", "Sent to •••", "send to"])
      expect(text).toContain(open);
    expect(text).toMatch(/Hello •••\s+there/);
    expect((await page.item(({ role }) => role === "link")).section).toBe("Account •••");
  });

  test("[ARC-073] a redact function hides what is inside the elements that it names, in names too", async () => {
    const page = await browser.open(
      `<div class="card"><button>SECRET 1</button></div><button id="b">See <i class="card">SECRET 2</i></button>`,
      {},
      `globalThis.engineOptions = { redact: ({ element }) => element?.matches(".card") === true };`,
    );
    await page.announce();
    await page.run({ type: "request_dom_snapshot", target: { selector: ".card button" } });
    await expectNothingOf(page, /SECRET/);
    expect(await page.text()).toContain('button "See •••"');
  });

  test("[ARC-073] refusals do not list private options", async () => {
    const page = await browser.open(
      `<div data-bridge-mask><select id="s"><option>SECRET 1</option><option>SECRET 2</option></select></div>
       <ul id="w" role="listbox" data-bridge-mask tabindex="0"><li role="option">SECRET 3</li></ul>`,
    );
    const answers = [
      await page.run({ type: "select", target: { selector: "#s" }, values: ["zz"] }),
      await page.run({ type: "select", target: { selector: "#w" }, values: ["zz"] }),
    ];
    expect(answers.map(({ code }) => code)).toEqual(["target_not_found", "target_not_found"]);
    await expectNothingOf(page, /SECRET/, answers);
    expect(
      await page.run({ type: "select", target: { selector: "#s" }, values: ["SECRET 2"] }),
    ).toMatchObject({
      ok: true,
      applied: true,
    });
  });

  test("[ARC-073] the document in srcdoc of a frame reveals nothing, in snapshots and in changes", async () => {
    const page = await browser.open(
      `<iframe id="f" srcdoc="<p data-bridge-mask>SECRET 1</p><input type=password value='SECRET 2'>"></iframe>`,
    );
    await page.announce();
    const snapshot = await page.run({ type: "request_dom_snapshot" });
    await page.page.evaluate(() => {
      document.getElementById("f")?.setAttribute("srcdoc", "<p data-bridge-mask>SECRET 3</p>");
    });
    await page.waitForMessage("dom_mutations");
    await expectNothingOf(page, /SECRET/, [snapshot]);
  });

  test("[ARC-072] [ARC-073] templates are masked like the rest of a snapshot", async () => {
    const page = await browser.open(
      `<template><input type="password" value="SECRET 1"><p data-bridge-mask>SECRET 2</p><template><input name="token" value="SECRET 3"></template><b>open</b></template>`,
    );
    await page.announce();
    await expectNothingOf(page, /SECRET/);
    expect((await page.messages("dom_snapshot"))[0]?.html).toContain("<b>open</b>");
  });
});

test("[ARC-072] an error's message and details are masked too", async () => {
  const page = await browser.open(
    `<input id="p" type="password"><button>Say hunter22</button>`,
    {},
    `globalThis.engineOptions = { getCustomState: () => ({}) };`,
  );
  await page.page.fill("#p", "hunter22");
  const answers = [
    await page.run({ type: "evaluate", code: "throw new Error('bad ' + p.value + ' /x?token=abc99')" }),
    await page.run({ type: "click", target: { text: "Say hunter2" } }),
  ];
  expect(answers.map(({ ok }) => ok)).toEqual([false, false]);
  expect(answers[1]?.details?.candidates?.length).toBeGreaterThan(0);
  await expectNothingOf(page, /hunter22|abc99/, answers);
});
