import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { until } from "../../fixtures.js";
import { type Driven, DriverStage } from "./stage.js";

const stage = new DriverStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

const PAGE = `<title>A</title><button onclick="fetch('/api', { method: 'POST', body: 'asked' })">Ask</button>
<a href="/second">Next</a><script>document.title = String(Math.random())</script>`;

const of = ({ records }: Driven, type: string) => records.filter((record) => record.type === type);

describe("recording a page over CDP", () => {
  test("goes on in the next document, and has the bodies of requests of scripts only", async () => {
    stage.answers.set("/api", { type: "application/json", body: '{"total":3}' });
    stage.answers.set("/second", "<button>There</button>");
    const driven = await stage.open(PAGE);
    await driven.page.run({ type: "record_actions", on: true });
    await driven.tab.click("button");
    await driven.tab.waitForNetworkIdle();
    await driven.tab.click("a");
    await driven.tab.waitForFunction(() => document.body.innerText.includes("There"));
    await until(() => of(driven, "recording_start").length === 2);
    await driven.tab.click("button");
    await until(() => of(driven, "interaction").length === 3);
    expect(of(driven, "interaction")).toMatchObject([
      { action: "click", locators: [{ by: "role", role: "button", value: "Ask" }, { by: "css" }] },
      { action: "click", locators: [{ by: "role", role: "link", value: "Next" }, { by: "css" }] },
      { action: "click", locators: [{ by: "role", role: "button", value: "There" }, { by: "css" }] },
    ]);
    const bodies = of(driven, "network").flatMap((record) => ("body" in record ? [record.body] : []));
    expect(bodies).toEqual(["asked", '{"total":3}']);
  });

  test("has what is done in the first moments of the next document", async () => {
    // The page uses itself as soon as its button is there: nobody can be faster.
    const first = `<button>At once</button><script>document.querySelector("button").click()</script>`;
    stage.answers.set("/second", first);
    const driven = await stage.open(PAGE);
    await driven.page.run({ type: "record_actions", on: true });
    await driven.page.run({ type: "click", target: { text: "Next" } });
    await until(() => of(driven, "interaction").length >= 2);
    const [, start] = of(driven, "recording_start");
    expect(start).toMatchObject({ width: expect.any(Number) });
    expect(of(driven, "interaction").map((each) => "locators" in each && each.locators[0])).toMatchObject([
      { role: "link", value: "Next" },
      { role: "button", value: "At once" },
    ]);
    await driven.page.run({ type: "record_actions", on: false });
    await driven.tab.reload();
    await driven.page.run({ type: "request_ui_tree", format: "text" });
    expect(of(driven, "interaction")).toHaveLength(2);
  });

  test("an agent's click is reported like a person's", async () => {
    const driven = await stage.open(PAGE);
    await driven.page.run({ type: "record_actions", on: true });
    await driven.page.run({ type: "click", target: { text: "Ask" } });
    await driven.page.recorded();
    expect(of(driven, "interaction")).toHaveLength(1);
    expect(of(driven, "interaction")[0]).not.toHaveProperty("synthetic");
    await driven.page.run({ type: "record_actions", on: false });
    await driven.tab.click("button");
    await driven.page.run({ type: "request_ui_tree", format: "text" });
    expect(of(driven, "interaction")).toHaveLength(1);
  });

  test("random numbers of a launched page are those of the seed that it reports", async () => {
    const driven = await stage.open(PAGE, { seedRandom: true });
    await driven.page.run({ type: "record_actions", on: true });
    // The current document began without a seed.
    expect(of(driven, "recording_start")[0]).not.toHaveProperty("seed");
    const titles: string[] = [];
    for (let i = 0; i < 2; i++) {
      await driven.tab.reload();
      titles.push(await driven.tab.title());
    }
    expect(titles[0]).toBe(titles[1]);
    await until(() => of(driven, "recording_start").length >= 3);
    expect(of(driven, "recording_start").at(-1)).toMatchObject({ seed: expect.any(Number) });
  });
});
