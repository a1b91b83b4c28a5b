import { expect, test } from "vitest";
import { setStage } from "./stage.js";

const stage = setStage();

/** What the line with this text came from, without its own calls. */
async function causesOf(text: string): Promise<string[] | undefined> {
  const { chain } = await stage.hub.waitFor("console", ({ args }) => JSON.stringify(args).includes(text));
  return chain?.map(({ how }) => how).slice(1);
}

test("an event of the window causes what its listeners do, and nothing after it", async () => {
  await stage.open(`<button onclick="console.log('clicked')">Go</button>`, "");
  expect(await stage.hub.run({ type: "keep_chains", forMs: 300_000 })).toMatchObject({ success: true });
  await stage.page.evaluate(() =>
    addEventListener("resize", () => {
      console.log("resized");
      Promise.resolve().then(() => console.log("awaited"));
    }),
  );
  await stage.page.setViewportSize({ width: 500, height: 400 });
  expect(await causesOf("resized")).toEqual(["listener resize"]);
  expect(await causesOf("awaited")).toEqual(["listener resize"]);
  await stage.page.click("button");
  expect(await causesOf("clicked")).toEqual(["listener click"]);
});
