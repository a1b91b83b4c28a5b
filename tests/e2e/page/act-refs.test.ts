import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EngineBrowser } from "./engine-page.js";

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

describe("what an agent remembers of the previous document", () => {
  test("[ARC-045] its refs and ids are stale in the next one, and its versions unknown", async () => {
    const page = await browser.open(
      `<button onclick="document.title='clicked ' + this.textContent"></button><script>document.querySelector("button").textContent = location.hash || "Cancel"</script>`,
    );
    const before = await page.item(({ role }) => role === "button");
    const { value } = await page.run({ type: "request_ui_tree", format: "text" });
    const { version } = value as { version: number };
    for (let load = 0; load < 3; load++) {
      await page.page.reload();
      const after = await page.item(({ role }) => role === "button");
      expect(after.ref).not.toBe(before.ref);
      expect(after.ref).toMatch(/^e\d{1,4}$/);
      const whole = await page.run({ type: "request_ui_tree", format: "text", since: version });
      expect(whole.result).toBe(`${after.ref} button "Cancel"`);
      expect(await page.run({ type: "click", target: { ref: before.ref } })).toMatchObject({
        code: "stale_ref",
      });
      expect(await page.run({ type: "click", target: { id: before.id } })).toMatchObject({
        code: "target_not_found",
      });
    }
    expect(await page.page.title()).toBe("Test");
  });

  test("[ARC-045] without storage, documents start at random numbers", async () => {
    const page = await browser.open(
      `<button>Go</button>`,
      {},
      `Object.defineProperty(window, "sessionStorage", { get() { throw new Error("denied"); } });`,
    );
    const before = await page.item(({ role }) => role === "button");
    await page.page.reload();
    expect((await page.item(({ role }) => role === "button")).ref).not.toBe(before.ref);
  });
});

describe("refs in rows", () => {
  /** Draws rows as a framework with keys by index does: elements stay, texts change. */
  const DRAW = `<script>
    window.draw = (list, rows) => {
      while (list.children.length > rows.length) list.lastElementChild.remove();
      rows.forEach((texts, i) => {
        let row = list.children[i];
        if (!row) { row = document.createElement(list.localName === "ul" ? "li" : "div"); row.innerHTML = "<span></span><i></i><div><button>Delete</button></div>";
          row.querySelector("button").onclick = () => { document.title = row.querySelector("span").textContent; }; list.append(row); }
        row.querySelector("span").textContent = texts[0]; row.querySelector("i").textContent = texts[1] ?? "";
      });
    };</script>`;

  const deletes = async (page: Awaited<ReturnType<typeof browser.open>>): Promise<string[]> =>
    (await page.tree()).filter(({ text }) => text === "Delete").map(({ ref }) => ref ?? "");
  const draw = (page: Awaited<ReturnType<typeof browser.open>>, rows: string[][]): Promise<void> =>
    page.page.evaluate((each) => {
      const { draw, list } = globalThis as unknown as {
        draw(at: unknown, rows: string[][]): void;
        list: unknown;
      };
      draw(list, each);
    }, rows);

  for (const tag of ["ul", "div"]) {
    test(`[ARC-045] [ARC-046] a ref is stale once its row holds something else, and works again when it is back (${tag})`, async () => {
      const page = await browser.open(`${DRAW}<${tag} id="list"></${tag}>`);
      await draw(page, [["Ada"], ["Bob"], ["Cyd"]]);
      const [ada = "", bob = ""] = await deletes(page);
      const { value } = await page.run({ type: "request_ui_tree", format: "text" });
      const { version: since } = value as { version: number };
      await draw(page, [["Bob"], ["Cyd"], ["Dan"]]);
      const answer = await page.run({ type: "click", target: { ref: ada } });
      expect(answer).toMatchObject({ ok: false, code: "stale_ref" });
      expect(answer.message).toContain("row that now holds something else");
      expect(answer.details?.candidates).toHaveLength(3);
      const { result } = await page.run({ type: "request_ui_tree", format: "text", since });
      expect(result?.match(/^~ e\d+ button "Delete"/gm)).toHaveLength(3);
      const second = await page.run({ type: "click", target: { ref: bob } });
      expect(second).toMatchObject({ code: "stale_ref" });
      expect(second.details?.candidates?.[0]?.ref).toBe((await deletes(page))[0]);
      expect(await page.page.title()).toBe("Test");
      expect(await page.run({ type: "click", target: { ref: (await deletes(page))[0] } })).toMatchObject({
        ok: true,
      });
      expect(await page.page.title()).toBe("Bob");
      await draw(page, [["Ada"], ["Bob"], ["Cyd"]]);
      expect(await deletes(page)).toEqual([ada, bob, expect.any(String)]);
      expect(await page.run({ type: "click", target: { ref: ada } })).toMatchObject({ ok: true });
      expect(await page.page.title()).toBe("Ada");
    });
  }

  test("counts, ages and states that several rows have may change without harm", async () => {
    const page = await browser.open(`${DRAW}<ul id="list"></ul>`);
    await draw(page, [
      ["Ada", "3 new"],
      ["Bob", "open"],
      ["Cyd", "open"],
      ["Order 7", "2 min ago"],
    ]);
    const refs = await deletes(page);
    await draw(page, [
      ["Ada", "4 new"],
      ["Bob", "done"],
      ["Cyd", "open"],
      ["Order 7", "3 min ago"],
    ]);
    expect(await deletes(page)).toEqual(refs);
    await draw(page, [["Ada"], ["Bob"], ["Cyd"], ["Order 8"]]);
    expect((await deletes(page)).map((ref, i) => ref === refs[i])).toEqual([true, true, true, false]);
  });

  test("typing into an editor does not make its ref stale", async () => {
    const page = await browser.open(
      `<ul><li>One <div contenteditable></div></li><li>Two <div contenteditable></div></li></ul><div contenteditable>x</div><input>`,
    );
    for (const { ref } of (await page.tree()).filter(({ role }) => role === "textbox")) {
      for (const text of ["abc", "def"]) {
        expect(await page.run({ type: "type", target: { ref }, text })).toMatchObject({
          ok: true,
          applied: true,
        });
      }
    }
  });

  test("a ref that was unique keeps its row when others come, and fails when the row was rendered again", async () => {
    const page = await browser.open(`${DRAW}<ul id="list"></ul>`);
    await draw(page, [["Ada"]]);
    const [ada = ""] = await deletes(page);
    await draw(page, [["Ada B."]]);
    expect(await deletes(page)).toEqual([ada]);
    await page.page.evaluate(() => {
      const list = document.getElementById("list") as HTMLElement;
      list.insertAdjacentHTML("beforeend", "<li><span>Bob</span><i></i><button>Delete</button></li>");
    });
    expect((await deletes(page))[0]).toBe(ada);
    await draw(page, [["Zoe"], ["Bob"]]);
    expect(await page.run({ type: "click", target: { ref: ada } })).toMatchObject({ code: "stale_ref" });
    expect(await page.page.title()).toBe("Test");
  });
});

test("[ARC-047] two elements with the same test id are ambiguous by it", async () => {
  const page = await browser.open(
    `<button data-testid="row" onclick="document.title='first'">One</button><button data-testid="row" onclick="document.title='second'">Two</button><button data-testid="gone" hidden>No</button><button data-testid="gone" onclick="document.title='seen'">Yes</button>`,
  );
  const answer = await page.run({ type: "click", target: { id: "row" } });
  expect(answer).toMatchObject({ ok: false, code: "ambiguous_target" });
  expect(answer.details?.candidates?.map(({ text }) => text)).toEqual(["One", "Two"]);
  expect(await page.page.title()).toBe("Test");
  const second = await page.item(({ text }) => text === "Two");
  expect(await page.run({ type: "click", target: { id: second.id } })).toMatchObject({ ok: true });
  expect(await page.page.title()).toBe("second");
  expect(await page.run({ type: "click", target: { id: "gone" } })).toMatchObject({ ok: true });
  expect(await page.page.title()).toBe("seen");
});
