import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ActStage, WAYS } from "./stage.js";

const stage = new ActStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const LOG = "window.lines = []; const log = (...words) => lines.push(words.join(' '));";

const FILES = `<label>Photo <input type="file" hidden onchange="show('chosen', this.files)"></label>
  <input id="many" type="file" multiple aria-label="Documents" onchange="show('chosen', this.files)">
  <div id="zone" style="width:200px;height:80px" ondragover="event.preventDefault()"
    ondrop="event.preventDefault(); show('dropped', event.dataTransfer.files)"><b>Drop here</b></div>
  <div id="wall" style="width:200px;height:80px">Not here</div>
  <script>${LOG} async function show(how, files) {
    for (const file of files) log(how, file.name, file.type, await file.text());
    log(how, files.length);
  }</script>`;

/** A knob that the pointer moves, and an area that records every point at which a held mouse was. */
const BOARD = `<style>body { margin: 0 }</style>
  <div id="knob" style="position:absolute;left:50px;top:20px;width:20px;height:20px;background:red;touch-action:none">o</div>
  <canvas id="board" width="400" height="300" style="position:absolute;left:100px;top:100px;touch-action:none"></canvas>
  <script>${LOG}
    knob.onpointerdown = (down) => { knob.setPointerCapture(down.pointerId);
      knob.onpointermove = (move) => { knob.style.left = (move.clientX - 10) + "px"; knob.style.top = (move.clientY - 10) + "px"; };
      knob.onpointerup = () => { knob.onpointermove = null; log("knob", knob.offsetLeft, knob.offsetTop); }; };
    const at = ({ clientX, clientY }) => Math.round(clientX - 100) + "," + Math.round(clientY - 100);
    board.onpointerdown = (event) => log("down", at(event));
    board.onpointermove = (event) => event.buttons && log("move", at(event));
    board.onpointerup = (event) => log("up", at(event));
  </script>`;

describe.each(WAYS)("over %s", (way) => {
  test(`files are chosen for an input, hidden in its label or not, and dropped (${way})`, async () => {
    const page = await stage.open(way, FILES);
    const lines = async (count: number): Promise<string[]> => {
      await page.tab.waitForFunction(`lines.length >= ${count}`);
      return page.evaluate<string[]>("lines.splice(0)");
    };
    const chosen = await page.run({
      type: "set_files",
      target: { text: "Photo" },
      files: [{ name: "a.txt", mimeType: "text/plain", data: base64("hello") }],
    });
    expect(chosen.value).toEqual([{ name: "a.txt", bytes: 5 }]);
    expect(await lines(2)).toEqual(["chosen a.txt text/plain hello", "chosen 1"]);
    const two = [
      { name: "a.bin", data: Buffer.from([0, 255, 128]).toString("base64") },
      { name: "b.txt", data: base64("grüße") },
    ];
    const many = await page.run({ type: "set_files", target: { selector: "#many" }, files: two });
    expect(many.value).toMatchObject([{ name: "a.bin", bytes: 3 }, { bytes: 7 }]);
    expect((await lines(3))[1]).toBe("chosen b.txt  grüße");
    await page.run({ type: "set_files", target: { selector: "#many" }, files: [] });
    expect(await lines(1)).toEqual(["chosen 0"]);
    await page.run({ type: "set_files", target: { text: "Drop here" }, files: two.slice(1), drop: true });
    expect(await lines(2)).toEqual(["dropped b.txt  grüße", "dropped 1"]);
  });

  test(`files are refused where they cannot go, and nothing is done (${way})`, async () => {
    const page = await stage.open(way, FILES);
    const files = [{ name: "a", data: "" }];
    const wall = { selector: "#wall" };
    const photo = { text: "Photo" };
    const refusal = (more: object): Promise<string> =>
      page.run({ type: "set_files", target: wall, files, ...more } as never).then(
        () => "done",
        (thrown: Error) => thrown.message,
      );
    expect(await refusal({})).toContain("not a file input");
    expect(await refusal({ drop: true })).toContain("does not accept a drop there");
    expect(await refusal({ target: photo, files: [...files, ...files] })).toContain("takes one file");
    expect(await refusal({ target: photo, files: [{ name: "a", data: "%" }] })).toContain("not base64");
    expect(await refusal({ target: photo, files: [{ path: "/etc/passwd" }] })).toContain("in base64");
    expect(await page.evaluate("lines")).toEqual([]);
  });

  test(`things are dragged by a distance (${way})`, async () => {
    const page = await stage.open(way, BOARD);
    await page.run({ type: "drag", source: { selector: "#knob" }, by: { x: 200, y: 130 } });
    expect(await page.evaluate("lines")).toEqual(["knob 250 150"]);
  });

  test(`the held mouse follows a path, through each of its points in order (${way})`, async () => {
    const page = await stage.open(way, BOARD);
    const path = [
      { x: 110, y: 110 },
      { x: 300, y: 110 },
      { x: 300, y: 250 },
      { x: 120, y: 300 },
    ];
    await page.run({ type: "drag", path });
    const lines = await page.evaluate<string[]>("lines");
    expect(lines[0]).toBe("down 10,10");
    expect(lines.at(-1)).toBe("up 20,200");
    const corners = ["200,10", "200,150", "20,200"].map((corner) => lines.indexOf(`move ${corner}`));
    expect(corners.every((at, i) => at > (corners[i - 1] ?? 0))).toBe(true);
  });
});
