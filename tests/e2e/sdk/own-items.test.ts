import { describe, expect, test } from "vitest";
import { setStage } from "./stage.js";

const stage = setStage();

const BODY = `<button id="b" onclick="document.title = 'pressed'">Go</button>`;

describe("items that the app names itself", () => {
  test("[APP-094] may have any meta; long texts are cut, and nothing is lost with them", async () => {
    await stage.open(
      BODY,
      `getUiTreeItems: () => [{ id: "go", selector: "#b", role: "button", text: "x".repeat(9000),
        meta: { "aria-label": null, value: 7, checked: "perhaps", own: { deep: [1, null] } } }]`,
    );
    const { items } = await stage.hub.waitFor("ui_tree", ({ items: listed }) => listed.length > 0);
    expect(items).toMatchObject([
      { id: "go", meta: { value: "7", checked: "perhaps", own: { deep: [1, null] } } },
    ]);
    expect(items[0]?.text?.length).toBeLessThan(4_096);
    expect(await stage.hub.run({ type: "click", target: { id: "go" } })).toMatchObject({ success: true });
    expect(await stage.page.title()).toBe("pressed");
  });

  test("[APP-095] that cannot be used are reported in the page's console and to the agent; the others stay", async () => {
    const lines: string[] = [];
    stage.page.on("console", (message) => lines.push(message.text()));
    await stage.open(
      BODY,
      `getUiTreeItems: () => [null, { id: "no-selector", role: "button" }, { id: "go", selector: "#b", role: "button" }]`,
    );
    const { items } = await stage.hub.waitFor("ui_tree", ({ items: listed }) => listed.length > 0);
    expect(items.map(({ id }) => id)).toEqual(["go"]);
    const wrong = "item 1 of getUiTreeItems failed: it has no selector";
    await expect.poll(() => lines.filter((line) => line.includes(wrong)).length).toBe(1);
    const answer = await stage.hub.run({ type: "request_ui_tree" });
    expect(answer).toMatchObject({ success: true, message: expect.stringContaining(wrong) });
    await stage.hub.waitFor("console", ({ args }) => args.join(" ").includes(wrong));
  });

  test("[APP-095] a function that throws is reported, and the page still answers", async () => {
    await stage.open(BODY, `getUiTreeItems: () => { throw new Error("not ready") }`);
    await stage.hub.waitFor("hello");
    expect(await stage.hub.run({ type: "request_ui_tree" })).toMatchObject({
      success: true,
      message: expect.stringContaining("getUiTreeItems failed: Error: not ready"),
    });
  });
});
