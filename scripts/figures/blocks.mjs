/**
 * Figures in pages that people write. A comment names figures, and what follows it, up to the closing comment, is generated:
 *
 *     <!-- figures
 *     hub/memory > hub: memory per idle session > memory of an idle session
 *     -->
 *     | ... |
 *     <!-- /figures -->
 *
 * makes a table with a row for each line: benchmark, figure, and how the page calls it. A line with a benchmark only has all of its
 * figures. In a sentence:
 * `<!-- figure: hub/memory > hub: memory per idle session -->10 KB<!-- /figure -->`.
 */
import { limitText } from "./results.mjs";
import { findFigure, valueText } from "./store.mjs";

const TABLE = /<!-- figures\n([\s\S]*?)\n-->\n[\s\S]*?<!-- \/figures -->/g;
const INLINE = /<!-- figure: (.+?) -->.*?<!-- \/figure -->/g;
const COMPUTED = /<!-- computed: (\w+) -->\n[\s\S]*?<!-- \/computed -->/g;

/** A page with what its comments name. `computed` holds texts by name. */
export function fillBlocks(page, results, computed = {}) {
  return page
    .replace(TABLE, (_, list) => `<!-- figures\n${list}\n-->\n${tableOf(list, results)}\n<!-- /figures -->`)
    .replace(INLINE, (_, which) => {
      const figure = chosen(which, results)[0];
      return `<!-- figure: ${which} -->${valueText(figure)}<!-- /figure -->`;
    })
    .replace(COMPUTED, (_, name) => {
      if (computed[name] === undefined) throw new Error(`nothing computes "${name}"`);
      return `<!-- computed: ${name} -->\n\n${computed[name]}\n\n<!-- /computed -->`;
    });
}

/** What is left of a page without code and without what is generated: only people write here. */
export function withoutBlocks(page) {
  return page
    .replace(TABLE, "")
    .replace(INLINE, "")
    .replace(COMPUTED, "")
    .replace(/```[\s\S]*?```/g, "")
    .replace(/`[^`\n]*`/g, "");
}

function tableOf(list, results) {
  const rows = list
    .split("\n")
    .flatMap((line) => (line.includes(" > ") ? [chosen(line, results)] : allOf(line.trim(), results)))
    .map(([figure, label]) => {
      const measured = `${valueText(figure)}${figure.ok ? "" : ` (missed${platformText(figure)})`}`;
      return `| ${label} | ${measured} | ${limitText(figure)} |`;
    });
  return ["| | measured | limit |", "|---|---|---|", ...rows].join("\n");
}

/** What of a missed limit is not ours. */
const platformText = ({ platform, unit }) =>
  platform === undefined ? "" : `; the platform alone ${valueText({ value: platform, unit })}`;

function allOf(bench, results) {
  const result = results.find((one) => one.bench === bench);
  if (!result) throw new Error(`no figures of ${bench} are stored; run npm run bench -- ${bench}`);
  if (result.isUnmeasured) return [[findFigure(results, bench, bench), `\`${bench}\``]];
  return result.figures.map((figure) => [figure, figure.name]);
}

function chosen(line, results) {
  const [bench, name, label = name] = line.split(" > ").map((part) => part.trim());
  return [findFigure(results, bench, name), label];
}
