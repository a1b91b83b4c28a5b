import { existsSync, readdirSync, readFileSync } from "node:fs";
import { root } from "../lib/run.mjs";

const PAGE = "docs/reliability.md";
const FOLDER = `${root}tests/faults`;
const SECTION = /(<!-- faults -->\n)[\s\S]*(<!-- end -->)/;
const TITLE = /^(?:test|it)\(\s*["`]([^"`]+)/m;

/** The table of docs/reliability.md: a row for each fault test, with what its long mode counted. */
export function reliabilityTable() {
  const tests = readdirSync(FOLDER)
    .filter((file) => file.endsWith(".test.ts"))
    .sort();
  const table = [
    "| tried, and how often | acknowledged | lost | works again after: median, longest | run it again |",
    "|---|---|---|---|---|",
    ...tests.map((file) => `| ${cellsOf(file).join(" | ")} |`),
  ].join("\n");
  const text = readFileSync(`${root}${PAGE}`, "utf8");
  return [[PAGE, text.replace(SECTION, (_, begin, end) => `${begin}\n${table}\n\n${end}`)]];
}

function cellsOf(file) {
  const name = file.split(".")[0];
  const command = `\`npm run test:faults -- ${name}\``;
  const results = `${FOLDER}/results/${name}.json`;
  if (!existsSync(results)) {
    const [, title = name] = TITLE.exec(readFileSync(`${FOLDER}/${file}`, "utf8")) ?? [];
    // Numbers of the short mode, and requirements, say nothing here.
    const faults = title.replaceAll(/\$\{[^}]+\} /g, "").replace(/ \[[^\]]+\]$/, "");
    return [faults, "not counted yet", "", "", command];
  }
  const { tried, acknowledged, unit, lost, recoverMs, platformMs, restMs, late } = JSON.parse(
    readFileSync(results, "utf8"),
  );
  const longer = late === undefined ? "" : `; longer than the limit: ${late} of ${sum(Object.values(tried))}`;
  return [
    Object.entries(tried)
      .map(([fault, times]) => `${fault}: ${times}`)
      .join("; "),
    `${acknowledged.toLocaleString("en")} ${unit}`,
    String(lost),
    `${times(recoverMs)}${platformMs ? ` (NATS alone: ${times(platformMs)}${restMs ? `; without that: ${times(restMs)}` : ""})` : ""}${longer}`,
    command,
  ];
}

const sum = (counts) => counts.reduce((all, count) => all + count, 0);
const times = ({ median, max }) => `${seconds(median)}, ${seconds(max)}`;
const seconds = (ms) => `${(ms / 1_000).toFixed(2)} s`;
