import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Executor } from "@debug-bridge/mcp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../fixtures.js";
import { CHROMIUM } from "../support/chrome/chromium.js";
import { escapeCode, escapes } from "./escapes.js";

const SECRET = "the-token-of-the-hub";
const home = mkdtempSync(join(tmpdir(), "debug-bridge-secret-"));
const target = { file: join(home, "token"), written: join(home, "written"), socket: join(home, "socket") };
const executor = new Executor({ relayUrl: () => undefined, temporary: CHROMIUM });
let connections = 0;
const server = createServer((socket) => {
  connections++;
  socket.end();
});

beforeAll(async () => {
  process.env.SECRET_OF_THE_PARENT = SECRET;
  writeFileSync(target.file, SECRET);
  await new Promise<void>((resolve) => server.listen(target.socket, resolve));
});
afterAll(async () => {
  delete process.env.SECRET_OF_THE_PARENT;
  await executor.close();
  server.close();
  rmSync(home, { recursive: true, force: true });
});

describe("V7: code of execute that tries to leave its process", () => {
  for (const [name, code] of Object.entries(escapes(target))) {
    it(`is stopped at ${name}`, async () => {
      const { error, value, lines } = await executor.run(escapeCode(code));
      expect({ value, lines }).toEqual({ value: "", lines: [] });
      expect(error).toBeTruthy();
      expect(error).not.toContain(SECRET);
      expect([existsSync(target.written), connections]).toEqual([false, 0]);
    });
  }

  it("finds neither the environment nor the token", async () => {
    const { value } = await executor.run(
      escapeCode("return JSON.stringify([process.env, process.argv, process.execArgv])"),
    );
    expect(value).toContain("TMPDIR");
    expect(value).not.toMatch(/SECRET|token|HOME|PATH"/);
  });

  it("can still use a scratch folder, which is removed with it", async () => {
    const { value } = await executor.run(
      escapeCode(
        `get("fs").writeFileSync("a.txt", "kept"); return process.cwd() + " " + get("fs").readFileSync("a.txt")`,
      ),
    );
    const [folder = "", text] = value.split(" ");
    expect([existsSync(folder), text]).toEqual([true, "kept"]);
    await executor.reset();
    await until(() => !existsSync(folder));
  });
});

describe("V7: code of execute that attacks the process that started it", () => {
  const pipe = `const pipe = process._getActiveHandles().find((h) => h._handle?.constructor.name === "Pipe");`;

  it("cannot fill its memory with an endless message", async () => {
    const flood = `${pipe} const part = Buffer.alloc(1 << 20, 65); for (;;) { if (!pipe.write(part)) await new Promise((r) => pipe.once("drain", r)); }`;
    await expect(executor.run(escapeCode(flood))).rejects.toThrow("is larger than");
    expect((await executor.run("return 1 + 1")).value).toBe("2");
  });

  it("cannot fill its memory with lines", async () => {
    const { lines } = await executor.run(`for (let i = 0; i < 3_000; i++) console.log("x".repeat(10_000))`);
    expect(lines.join("").length).toBeLessThan(3_000_000);
    expect(lines.at(-1)).toContain("left out");
  });

  it("cannot confuse it with its own messages", async () => {
    for (const message of ["nonsense", "null", "[]", '{"type":"reply","id":"x","value":{}}']) {
      const forge = `${pipe} pipe.write(${JSON.stringify(`${message}\0`)}); await new Promise(() => {});`;
      await expect(executor.run(escapeCode(forge))).rejects.toThrow("cannot be read");
    }
    expect((await executor.run("return 1 + 1")).value).toBe("2");
  });
});
