import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripControlCharacters } from "@debug-bridge/protocol";
import { wires } from "@debug-bridge/protocol/schemas";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../fixtures.js";
import { arbitraryOf } from "../support/machine/zod-arbitrary.js";
import { sharedHub } from "./support/harness.js";
import { mutated } from "./support/mutate.js";
import { exchange, FuzzPeer } from "./support/peer.js";
import { fuzz, testTimeoutMs } from "./support/settings.js";
import { awkwardString, rawBytes, rawText } from "./support/text.js";

const harness = sharedHub();
const folder = mkdtempSync(join(tmpdir(), "debug-bridge-terminal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Control characters but line feed and tab, and those that change the direction of text. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const argument: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.constant("string"), value: awkwardString }),
    fc.record({ type: fc.constant("number"), value: fc.constantFrom<unknown>(1, "NaN", -0) }),
    fc.record({ type: fc.constant("function"), name: awkwardString }),
    fc.record({
      type: fc.constant("error"),
      value: awkwardString,
      stack: awkwardString.map((text) => `    at ${text}`),
    }),
    fc.record({
      type: fc.constant("object"),
      className: awkwardString,
      value: fc.dictionary(awkwardString, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    }),
    fc.record({ type: fc.constant("array"), value: fc.array(tie("value"), { maxLength: 3 }) }),
  ),
})).value;
const event = fc.record({
  version: fc.constant("1.0.0"),
  type: fc.constant("console_event"),
  timestamp: fc.constant("2026-01-01T00:00:00.000Z").map(() => new Date().toISOString()),
  source: fc.record({ tabId: fc.nat(3), url: awkwardString, title: awkwardString, frameUrl: awkwardString }),
  payload: fc.record({
    method: fc.constantFrom("log", "error", "table", "group", "groupEnd", "trace", "dir", "clear", "count"),
    args: fc.array(argument, { maxLength: 4 }),
    location: fc.record({ url: awkwardString, line: fc.nat(), column: fc.nat() }),
    stack: awkwardString,
  }),
});
const envelope = { version: "1.0.0", timestamp: "2026-01-01T00:00:00.000Z" };
const ping = (id: string): object => ({ ...envelope, type: "ping", payload: { id } });

describe("what the command line prints", () => {
  let peer: FuzzPeer;
  beforeEach(async () => {
    peer = await FuzzPeer.connect(harness().hub.ready.console);
    onTestFinished(() => peer.close());
    peer.send({ ...envelope, type: "connection_status", payload: { status: "connected" } });
  });

  it(
    "of console lines has no control characters, and as JSON one record a line",
    { timeout: testTimeoutMs },
    () =>
      fuzz(
        fc.array(event, { minLength: 20, maxLength: 60 }),
        2,
        async (events) => {
          await exchange(
            peer,
            events.map((each) => JSON.stringify(each)),
            ping,
          );
          const { hub } = harness();
          const args = ["console", "--hub", hub.ready.hub, "--home", hub.home, "--since", "10m"];
          const [plain, json] = await Promise.all([runCli(args), runCli([...args, "--json"])]);
          expect(plain.stderr).toBe("");
          expect(plain.code).toBe(0);
          expect(plain.stdout).not.toMatch(UNSAFE);
          for (const line of json.stdout.trimEnd().split("\n"))
            expect(JSON.parse(line)).toHaveProperty("sequence");
          await harness().witness.check();
        },
        0.5,
      ),
  );

  const eventLine = fc.oneof(
    mutated(arbitraryOf(wires["agent.event"].schema)).map((text) => Buffer.from(text)),
    rawText.map((text) => Buffer.from(text)),
    rawBytes,
  );
  it("of a damaged recording has no control characters", { timeout: testTimeoutMs }, async () => {
    const { stdout: help } = await runCli(["agent", "--help"]);
    const replay =
      /^\s+replay\b/m.test(help) && help.includes("debug-bridge agent") ? ["agent", "replay"] : ["replay"];
    await fuzz(
      fc.array(eventLine, { minLength: 20, maxLength: 100 }),
      2,
      async (lines) => {
        const file = join(folder, "events.jsonl");
        writeFileSync(file, Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")])));
        const { stdout, stderr, code } = await runCli([...replay, file]);
        expect(stdout).not.toMatch(UNSAFE);
        expect(stderr).not.toMatch(/^\s+at /m);
        expect([0, 1]).toContain(code);
      },
      0.3,
    );
  });

  it("loses every control character to one function", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.oneof(awkwardString, fc.string({ unit: "binary" })),
      500,
      (text) => {
        const stripped = stripControlCharacters(text);
        // Line ends stay, and a carriage return is one.
        expect(stripped.replaceAll("\r", "")).not.toMatch(UNSAFE);
        expect(stripControlCharacters(stripped)).toBe(stripped);
      },
      0.2,
    ),
  );
});
