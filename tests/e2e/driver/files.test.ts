import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandInput } from "@debug-bridge/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DriverStage, failure } from "./stage.js";

const stage = new DriverStage();
beforeAll(() => stage.start());
afterAll(() => stage.stop());

/** Long enough for the page to read the files. */
const settle = { quietMs: 300 };
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const PAGE = `
  <label>Photo <input type="file" hidden onchange="show('chosen', this.files)"></label>
  <input id="many" type="file" multiple aria-label="Documents" onchange="show('chosen', this.files)">
  <div id="zone" style="width:200px;height:80px" ondragover="event.preventDefault()"
    ondrop="event.preventDefault(); show('dropped', event.dataTransfer.files)">Drop here</div>
  <div id="wall" style="width:200px;height:80px">Not here</div>
  <script>async function show(how, files) {
    for (const file of files) console.log(how, file.name, file.type, await file.text());
  }</script>`;

test("files are chosen for an input, including one that is hidden in its label", async () => {
  const { page } = await stage.open(PAGE);
  const chosen = await page.run({
    type: "set_files",
    target: { text: "Photo" },
    files: [{ name: "a.txt", mimeType: "text/plain", data: base64("hello") }],
    settle,
  });
  expect(chosen.receipt?.console).toMatchObject([{ text: "chosen a.txt text/plain hello" }]);
  expect(chosen.value).toEqual([{ name: "a.txt", bytes: 5 }]);
  const many = await page.run({
    type: "set_files",
    target: { selector: "#many" },
    files: [
      { name: "a.txt", data: base64("a") },
      { name: "b.txt", data: base64("b") },
    ],
    settle,
  });
  expect(many.receipt?.console).toMatchObject([{ text: "chosen a.txt  a" }, { text: "chosen b.txt  b" }]);
  const files = [
    { name: "a", data: "" },
    { name: "b", data: "" },
  ];
  const two = await failure(page.run({ type: "set_files", target: { text: "Photo" }, files }));
  expect([two.code, two.message]).toEqual([
    "not_actionable",
    "the file input takes one file. Nothing was done",
  ]);
});

test("files are dropped on an element that accepts them, and on no other", async () => {
  const { page } = await stage.open(PAGE);
  const files = [{ name: "n.csv", mimeType: "text/csv", data: base64("1,2") }];
  const dropped = await page.run({
    type: "set_files",
    target: { selector: "#zone" },
    files,
    drop: true,
    settle,
  });
  expect(dropped.receipt?.console).toMatchObject([{ text: "dropped n.csv text/csv 1,2" }]);
  const refused = await failure(
    page.run({ type: "set_files", target: { selector: "#wall" }, files, drop: true }),
  );
  expect(refused.message).toContain("does not accept a drop there");
  const noInput = await failure(page.run({ type: "set_files", target: { selector: "#wall" }, files }));
  expect(noInput.message).toContain("not a file input");
  const noText = await failure(
    page.run({ type: "set_files", target: { selector: "#many" }, files: [{ name: "x", data: "%%" }] }),
  );
  expect(noText.code).toBe("invalid_message");
});

test("paths are read only where files of the machine are allowed", async () => {
  const path = join(await mkdtemp(join(tmpdir(), "files-")), "notes.txt");
  await writeFile(path, "from disk");
  const command: CommandInput = {
    type: "set_files",
    target: { selector: "#many" },
    files: [{ path }],
    settle,
  };
  const closed = await stage.open(PAGE);
  expect((await failure(closed.page.run(command))).message).toContain("--allow-files");
  const { page } = await stage.open(PAGE, { allowFiles: true });
  const { receipt } = await page.run(command);
  expect(receipt?.console).toMatchObject([{ text: "chosen notes.txt text/plain from disk" }]);
  const missing = await failure(page.run({ ...command, files: [{ path: `${path}.not` }] }));
  expect([missing.code, missing.message]).toEqual(["invalid_message", expect.stringContaining("ENOENT")]);
});
