import type { Receipt } from "@debug-bridge/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomCases } from "../../support/machine/long-mode.js";
import { EngineBrowser, type EnginePage } from "./engine-page.js";

/*
 * A receipt is empty if and only if the page looks and reads the same: random visible and invisible changes, compared
 * with screenshots, and with the text and values that a browser reports as visible.
 */

const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());

const picture = (color: string): string =>
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><rect width='20' height='20' fill='${color}'/></svg>`;

const BODY = `<h1 id="title">Orders</h1>
  <p id="total">Total: 0</p><p id="note">Please do not press <a href="#x">Delete</a> before you read this.</p>
  <div id="box" class="card"><span id="inner">Card</span> <b id="count">3</b></div>
  <p id="gone" class="hide">Card was declined</p><p id="clear" class="clear">Almost there</p>
  <img id="pic" alt="" src="${picture("red")}"><button id="other">Other</button>
  <label>Name <input id="name" value="Ada"></label> <input id="agree" type="checkbox">
  <ul id="list"><li id="one">One</li><li id="two">Two</li><li>Three</li></ul>
  <table><tr id="row"><td>Ann</td><td id="cell">5</td><td><button>Edit</button></td></tr></table>
  <div id="shape"></div><div style="height: 900px"></div><p id="below">Far below</p><p>The end</p>`;
const STYLE = `body { font: 16px sans-serif } #go { margin: 4px } .card { padding: 4px } .hide { display: none }
  .clear { opacity: 0 } .invisible { visibility: hidden } .red { color: rgb(200, 0, 0) } .big { font-size: 22px }
  .filled { background: rgb(220, 220, 0) } .framed { border: 2px solid blue } .struck { text-decoration: line-through }
  .starred::before { content: "New: " } .dotted::after { content: ""; display: inline-block; width: 9px; height: 9px; background: green }
  .aside { transform: translateX(30px) } .gone-left { position: absolute; left: -9999px } .plain { --unused: 1 } .raised { position: relative }
  body.night #below { display: none } body.night #count { font-weight: 400 } body.day #gone { display: block }`;
const CLASSES = STYLE.match(/(?<=[^y]\.|^\.)[a-z-]+(?= |::)/gm) as string[];
const IDS = [...BODY.matchAll(/ id="([a-z]+)"/g)].map(([, id]) => id as string);
const TEXTS = IDS.filter((id) => !/^(?:pic|name|agree|list|row|shape|box|note)$/.test(id));

const RULES = [
  "color: rgb(0, 120, 0)",
  "display: none",
  "display: block",
  "opacity: 0.5",
  "background-color: pink",
  "--x: 1",
  "width: 120px",
];

/** How long the page is quiet at the end of a receipt. */
const QUIET_MS = 100;

/** Code that a click runs, from the words of an action. */
const change: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(fc.constantFrom(...TEXTS), fc.constantFrom("Total: 0", "10", "Card", "Two"))
    .map(([id, text]) => `at("${id}").textContent = "${text}"`),
  fc
    .tuple(fc.constantFrom(...IDS), fc.constantFrom(...CLASSES))
    .map(([id, name]) => `at("${id}").classList.toggle("${name}")`),
  fc.constantFrom("night", "day").map((name) => `document.body.classList.toggle("${name}")`),
  fc
    .tuple(fc.constantFrom(...IDS), fc.constantFrom(...RULES))
    .map(
      ([id, rule]) =>
        `document.styleSheets[0].insertRule("#${id} { ${rule} }", document.styleSheets[0].cssRules.length)`,
    ),
  fc.constantFrom("red", "green", "blue").map((color) => `at("pic").src = "${picture(color)}"`),
  fc.constantFrom("Ada", "Grace", "").map((value) => `at("name").value = "${value}"`),
  fc.constantFrom("true", "false").map((on) => `at("agree").checked = ${on}`),
  fc.constantFrom(0, 40, 300).map((y) => `scrollTo(0, ${y})`),
  fc.constantFrom(...IDS).map((id) => `at("${id}").remove()`),
  fc
    .constantFrom("One", "Four")
    .map(
      (text) => `at("list").append(Object.assign(document.createElement("li"), { textContent: "${text}" }))`,
    ),
  fc.constant(`at("list").append(at("list").firstElementChild)`),
  // Not of elements that can be used: they get new refs, which a receipt reports although nothing looks different.
  fc
    .constantFrom(...TEXTS)
    .filter((id) => id !== "other")
    .map((id) => `at("${id}").outerHTML = at("${id}").outerHTML`),
  fc
    .constantFrom(...TEXTS)
    .map(
      (id) =>
        `const was = at("${id}").textContent; at("${id}").textContent = "Busy"; at("${id}").textContent = was`,
    ),
);
const timed = fc
  .tuple(change, fc.boolean())
  .map(([code, later]) => (later ? `later(() => { ${code} })` : `{ ${code} }`));

/** What was wrong once. */
const KNOWN_CASES: [string[]][] = [
  // Text in a line is not transformed.
  [[`{ at("count").classList.toggle("aside") }`]],
  // A native checkbox is drawn without its background and border.
  [[`{ at("agree").classList.toggle("filled") }`]],
  [[`{ at("agree").classList.toggle("framed") }`]],
  // Borders of rows are drawn only in tables whose borders collapse.
  [[`{ at("row").classList.toggle("framed") }`]],
  [
    [
      `document.querySelector("table").style.borderCollapse = "collapse"; at("row").classList.toggle("framed")`,
    ],
  ],
  // A line through a list is drawn in its items, one through a picture is not.
  [[`{ at("list").classList.toggle("struck") }`]],
  [[`{ at("pic").classList.toggle("struck") }`]],
];

/** What a person can see and read now. */
async function seen({ page }: EnginePage): Promise<Seen> {
  const read = (opacityProperty: boolean): Promise<string> => page.evaluate(textOf, opacityProperty);
  const [text, withTransparent] = await Promise.all([read(true), read(false)]);
  // A picture of a page that is still being drawn is not what it looks like.
  let picture = "";
  for (let before = "-"; picture !== before; ) {
    before = picture;
    picture = (await page.screenshot()).toString("base64");
  }
  return { picture, text, withTransparent };
}

interface Seen {
  readonly picture: string;
  readonly text: string;
  /** Includes what is there, but drawn with an opacity of zero. */
  readonly withTransparent: string;
}

/** Runs in the page. */
function textOf(opacityProperty: boolean): string {
  const shown = { opacityProperty, visibilityProperty: true };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let read = "";
  while (walker.nextNode()) {
    const { parentElement, nodeValue } = walker.currentNode;
    if (!parentElement?.checkVisibility(shown) || !nodeValue?.trim()) continue;
    const drawn = getComputedStyle(parentElement, "::before").content;
    read += `${drawn} ${nodeValue.trim()}\n`;
  }
  for (const field of document.querySelectorAll("input"))
    if (field.checkVisibility(shown)) read += `${field.value} ${field.checked}\n`;
  return read;
}

/** Text that came and went is not part of what a page looks like in the end. */
const isEmpty = ({ appeared, vanished, changed, text, looks }: Receipt): boolean =>
  !(appeared || vanished || changed || text?.added.length || text?.removed.length || looks);

/** Larger pages are read on the screen, and beyond it by the browser's own text. */
const LARGE = `<div>${Array.from({ length: 600 }, (_, i) => `<p>Row ${i}</p>`).join("")}</div>`;

test.each([
  ["", ""],
  [", of more than 400 elements", LARGE],
])(
  "a receipt is empty if and only if the page looks and reads the same%s",
  {
    timeout: 600_000,
  },
  async (_size, below) => {
    const page =
      await browser.open(`<style>${STYLE}</style><button id="go" onclick="go()">Go</button><main></main>${below}
    <script>const at = (id) => document.getElementById(id) ?? document.createElement("p");
    let waiting = 0, delay = 0;
    const later = (run) => { const set = performance.now(); waiting++;
      setTimeout(() => { waiting--; delay = Math.max(delay, performance.now() - set); run(); }, 5); };</script>`);
    await page.run({ type: "click", target: { selector: "#go" } });
    let [quiet, loud] = [0, 0];
    /** What is wrong with the receipt of these changes, if anything. */
    const problemOf = async (changes: readonly string[]): Promise<string | undefined> => {
      await page.page.evaluate(
        async ([body, style, code]) => {
          document.body.className = "";
          scrollTo(0, 0);
          (document.querySelector("style") as Element).textContent = style;
          (document.querySelector("main") as Element).innerHTML = body;
          await Promise.all([...document.images].map((image) => image.decode()));
          Object.assign(globalThis, { go: new Function(`delay = 0; ${code}`) });
        },
        [BODY, STYLE, changes.join(";\n")] as const,
      );
      const before = await seen(page);
      const settle = { quietMs: QUIET_MS };
      const { receipt } = await page.run({ type: "click", target: { selector: "#go" }, settle });
      // A busy browser may run a timer after the page was quiet for so long: then it is not part of the receipt.
      fc.pre(await page.page.evaluate<boolean>(`waiting === 0 && delay < ${QUIET_MS - 20}`));
      const after = await seen(page);
      const isSame = before.picture === after.picture && before.text === after.text;
      if (isSame) quiet++;
      else loud++;
      // Below the screen, a large page is compared by the browser's own text, which does not know what is transparent.
      const isReadTheSame = before.withTransparent === after.withTransparent;
      if (below && before.picture === after.picture && isSame !== isReadTheSame) return undefined;
      if (isEmpty(receipt as Receipt) === isSame) return undefined;
      return `${JSON.stringify(changes)} ${JSON.stringify(receipt)} text ${before.text === after.text}`;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(timed, { minLength: 0, maxLength: 2 }), async (changes) => {
        // A busy browser now and then draws the same page a little differently. What is wrong is wrong again.
        if (await problemOf(changes)) expect(await problemOf(changes)).toBeUndefined();
      }),
      { ...randomCases(20, 120), includeErrorInReport: true, examples: KNOWN_CASES },
    );
    // Both kinds were tried.
    expect(Math.min(quiet, loud)).toBeGreaterThan(0);
  },
);
