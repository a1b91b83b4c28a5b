import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ERROR_CODES } from "@debug-bridge/protocol";
import { decode, wires } from "@debug-bridge/protocol/schemas";
import { encode } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ROOT } from "../../fixtures.js";
import { PAGES } from "../../support/docs/doc-blocks.js";
import { areConnected } from "../../support/docs/source-imports.js";
import { OLD_WORDS } from "../../support/docs/words.js";

type WireName = keyof typeof wires;

/** A fenced block that says which wire it is an example of. */
interface Example {
  readonly place: string;
  readonly wire: string;
  readonly refused: boolean;
  /** One JSON text per line for `jsonl`, else the whole block. */
  readonly texts: readonly string[];
}

const read = (page: string): string => readFileSync(join(ROOT, page), "utf8");

const FENCE = /^```(jsonl?) (\S+)( refused)?\n(.*?)^```$/gms;
const ANY_FENCE = /^```.*?^```$/gms;
const CODE = /`([^`\n]+)`/g;
/** The first folder of a path, and the rest. `protocol/src/limits.ts` is short for a path below `packages`. */
const PATH = /^([a-z-]+\/)([\w./@-]+)$/;
const PACKAGES: ReadonlySet<string> = new Set(readdirSync(join(ROOT, "packages")));
const LINK = /\]\(([^)\s]+)\)/g;

const isWire = (name: string): name is WireName => Object.hasOwn(wires, name);

function examplesOf(page: string): Example[] {
  const text = read(page);
  return [...text.matchAll(FENCE)].map(({ index, 1: format, 2: wire = "", 3: refused, 4: body = "" }) => ({
    place: `${page}:${text.slice(0, index).split("\n").length}`,
    wire,
    refused: refused !== undefined,
    texts: format === "jsonl" ? body.split("\n").filter((line) => line.trim() !== "") : [body],
  }));
}

/** The `type` or `method` of every message that a schema allows. */
function kindsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(kindsOf);
  if (schema instanceof z.ZodArray) return kindsOf(schema.element);
  if (!(schema instanceof z.ZodObject)) return [];
  const kind = schema.shape.method ?? schema.shape.type;
  return kind instanceof z.ZodLiteral ? [...kind.values].map(String) : [];
}

const kindOf = (message: { method?: unknown; type?: unknown }): string =>
  String(message.method ?? message.type);

const examples = PAGES.flatMap(examplesOf);

describe("the examples in the documentation", () => {
  it("exist, and name existing wires", () => {
    expect(examples.length).toBeGreaterThan(100);
    expect(examples.filter(({ wire }) => !isWire(wire)).map(({ place, wire }) => `${place} ${wire}`)).toEqual(
      [],
    );
  });

  it.each(examples)(
    "$place is valid for $wire, or refused if it is marked so",
    ({ wire, refused, texts }) => {
      if (!isWire(wire)) throw new Error(`there is no wire "${wire}"`);
      expect(texts.length).toBeGreaterThan(0);
      for (const text of texts) {
        const { schema, limits } = wires[wire];
        const decoded = decode(schema, text, limits);
        expect(decoded.ok, decoded.ok ? text : `${decoded.error.message}\n${text}`).toBe(!refused);
      }
    },
  );

  it.each([
    "app.app-message",
    "app.command",
    "app.hub-message",
    "app.dialect",
    "console.frame",
    "extension.command",
    "extension.message",
    "agent.event",
    "agent.command",
    "browser-action.instruction",
  ] satisfies WireName[])("in docs/protocol show everything that %s can carry", (wire) => {
    const kinds = new Set(kindsOf(wires[wire].schema));
    expect(kinds.size).toBeGreaterThan(0);
    const shown = new Set(
      examples
        .filter(
          (example) => example.wire === wire && !example.refused && /^docs.protocol/.test(example.place),
        )
        .flatMap(({ texts }) => texts.flatMap((text) => JSON.parse(text)))
        .map(kindOf),
    );
    expect([...kinds].filter((kind) => !shown.has(kind))).toEqual([]);
  });
});

describe("the pages of the documentation", () => {
  it.each(PAGES)("%s links to files that exist", (page) => {
    const links = [...read(page).replace(ANY_FENCE, "").matchAll(LINK)]
      .map(([, link = ""]) => link)
      .filter((link) => !/^([a-z]+:|#)/i.test(link))
      .map((link) => decodeURIComponent(link.replace(/[?#].*$/, "")));
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  });

  it.each(PAGES)("%s has none of the words that plain English replaces", (page) => {
    const lines = read(page).split("\n");
    expect(lines.filter((line) => OLD_WORDS.test(line))).toEqual([]);
  });

  it.each([...PAGES, "CONTRIBUTING.md"])("%s names only files and folders of packages that exist", (page) => {
    const named = [...read(page).replace(ANY_FENCE, "").matchAll(CODE)].flatMap(([, text = ""]) => {
      const [, folder = "", rest = ""] = PATH.exec(text) ?? [];
      if (folder === "packages/" || folder === "scripts/") return [folder + rest];
      return PACKAGES.has(folder.slice(0, -1)) && rest.startsWith("src/")
        ? [`packages/${folder}${rest}`]
        : [];
    });
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("name an existing place for each idea that is implemented once", () => {
    const [, table = ""] = /^\| idea \| place \|\n(.*?)\n\n/ms.exec(read("CONTRIBUTING.md")) ?? [];
    const places = [...table.matchAll(/^\| .* \| (`.*)\|$/gm)].map(([, cell = ""]) =>
      // A name in a place, such as that of a function, is no place.
      [...cell.replaceAll(/`\w+` in /g, "").matchAll(CODE)].map(([, place = ""]) => place),
    );
    expect(places.length).toBeGreaterThan(7);
    for (const named of places) expect(named.length).toBeGreaterThan(0);
    expect(places.flat().filter((place) => !existsSync(join(ROOT, "packages", place)))).toEqual([]);
  });

  it("explain what to do about every error code", () => {
    const index = read("docs/protocol/README.md");
    expect(ERROR_CODES.filter((code) => !index.includes(`| \`${code}\` |`))).toEqual([]);
  });

  it("describe every message and command of the app wire in under 1,500 tokens [APP-090]", () => {
    const spec = read("docs/agent-spec.md");
    expect(encode(spec).length).toBeLessThan(1_500);
    const kinds = (["app.app-message", "app.command", "app.hub-message"] as const).flatMap((wire) =>
      kindsOf(wires[wire].schema),
    );
    expect(kinds.length).toBeGreaterThan(30);
    expect(kinds.filter((kind) => !spec.includes(`\`${kind}\``) && !spec.includes(`"${kind}"`))).toEqual([]);
  });
});

/** Steps of a click that no import explains: they lead to another process, or to who registered a callback. */
const UNIMPORTED: Readonly<Record<string, string>> = {
  "client/src/agent/socket.ts -> server/src/wires/socket-reader.ts": "the agent's socket",
  "server/src/sessions/peers/app-peer.ts -> server/src/wires/socket-link.ts": "its Link",
  "server/src/wires/socket-link.ts -> browser/src/connection/socket-transport.ts": "the page's socket",
  "server/src/providers/tabs/tab-sessions.ts -> driver/src/app-link.ts": "its Transport",
  "driver/src/app-link.ts -> protocol/src/peer/responder.ts": "extended by the Peer that it creates",
  "protocol/src/peer/responder.ts -> driver/src/driven-page.ts": "onRequest",
  "driver/src/engine/engine-link.ts -> server/src/relay/clients/in-process-session.ts": "its CdpSession",
  "server/src/wires/extension/extension-rpc.ts -> server/src/wires/extension/socket.ts": "its send function",
  "server/src/wires/socket-link.ts -> extension/src/connection/wire-connection.ts": "the extension's socket",
  "extension/src/connection/wire-connection.ts -> extension/src/debugger/relay-wire.ts": "its Wire",
  "extension/src/debugger/cdp/cdp-runner.ts -> driver/src/in-page/engine.ts": "evaluated in the tab",
  "driver/src/cdp.ts -> driver/src/in-page/engine.ts": "evaluated in the page",
  "driver/src/in-page/engine.ts -> page/src/page-controller.ts": "created by createPageEngine",
  "page/src/act/action-queue.ts -> driver/src/in-page/remote-input.ts": "the PageInput of the engine",
  "driver/src/in-page/remote-input.ts -> driver/src/input/trusted-input.ts": "a binding of the page",
};

describe("the walk of a click in docs/architecture.md", () => {
  const page = read("docs/architecture.md");
  const ways = [...page.matchAll(/<!-- way: (\w+) -->\n(.*?)<!-- end -->/gs)].map(
    ([, name = "", list = ""]) => ({
      name,
      files: [...list.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file),
    }),
  );

  it.each([
    ["sdk", 25],
    ["tab", 35],
    ["browser", 35],
  ])("to %s has at most %i files, all different", (name, max) => {
    const files = ways.find((way) => way.name === name)?.files ?? [];
    expect(files.length).toBeGreaterThan(10);
    expect(files.length).toBeLessThanOrEqual(max);
    expect(new Set(files).size).toBe(files.length);
  });

  it("goes from each file to one that it imports, that imports it, or that shares an importer with it", () => {
    const steps = ways.flatMap(({ files }) =>
      files.slice(1).map((file, i) => [files[i] ?? "", file] as const),
    );
    const apart = steps
      .filter(([from, to]) => !areConnected(from, to))
      .map((step) => step.map((file) => file.replace("packages/", "")).join(" -> "));
    expect([...new Set(apart)].sort()).toEqual(Object.keys(UNIMPORTED).sort());
  });
});

describe("the table of what an agent sees", () => {
  it("names tests that exist", () => {
    const rows = readFileSync(join(ROOT, "docs/view.md"), "utf8").matchAll(/^\|.*\| `([^`]+)`: "(.+)" \|$/gm);
    const cited = [...rows].map(([, file = "", title = ""]) => ({ file, title }));
    expect(cited.length).toBeGreaterThan(25);
    const missing = cited.filter(
      ({ file, title }) => !readFileSync(join(ROOT, file), "utf8").includes(title),
    );
    expect(missing).toEqual([]);
  });
});

describe("the table of attacks", () => {
  const [, section = ""] = /## What is protected(.*?)\n## /s.exec(read("docs/security.md")) ?? [];
  const rows = [...section.matchAll(/^\|.*\| (`[^|]*) \|$/gm)].map(([, cell = ""]) => cell);
  const named = new Set(
    rows.flatMap((cell) => [...cell.matchAll(/`([\w/-]+)`/g)].map(([, name = ""]) => name)),
  );
  const files = (name: string): string[] =>
    name.includes("/")
      ? [`tests/${name}.test.ts`]
      : [`tests/attacks/${name}.test.ts`, `tests/attacks/${name}.browser.test.ts`];

  it("names tests that exist", () => {
    expect(named.size).toBeGreaterThan(20);
    expect([...named].filter((name) => !files(name).some((file) => existsSync(join(ROOT, file))))).toEqual(
      [],
    );
  });

  it("names every attack", () => {
    const all = readdirSync(join(ROOT, "tests/attacks"))
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => file.replace(/(\.browser)?\.test\.ts$/, ""));
    expect(all.filter((name) => !named.has(name))).toEqual([]);
  });
});
