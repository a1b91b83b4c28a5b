import type { Page } from "puppeteer-core";

/** Controls of every app that have nothing to do with its bug. */
export const NOISE_HTML = `
<aside aria-label="Settings">
  <button type="button" id="like">Like</button>
  <button type="button" id="theme">Theme</button>
  <label>Notes <input id="notes"></label>
  <label><input type="checkbox" id="mail"> Send mail</label>
  <label>Size <select id="size"><option>Small</option><option>Medium</option><option>Large</option></select></label>
  <ul id="tags"><li>red <button type="button">Pin</button></li><li>green <button type="button">Pin</button></li></ul>
  <p id="noise">0</p>
</aside>`;

export const NOISE_SCRIPT = `
let liked = 0;
const count = () => { document.querySelector("#noise").textContent = String(++liked); };
for (const id of ["like", "theme"]) document.getElementById(id).addEventListener("click", count);
for (const id of ["notes", "mail", "size"]) document.getElementById(id).addEventListener("change", count);
document.querySelector("#tags").addEventListener("click", count);
`;

const SIZES = ["Small", "Medium", "Large"];

/** A person at a page: real input, and an order of idle actions that is the same in every run. */
export class Person {
  actions = 0;
  /** How many actions are needed, when that depends on chance. */
  minimum = 0;
  private state = 7;

  /** `noiseShare`: how much of the noise is made. */
  constructor(
    readonly page: Page,
    private readonly noiseShare = 1,
  ) {}

  async click(selector: string): Promise<void> {
    this.actions++;
    await this.page.click(selector);
  }

  async fill(selector: string, text: string): Promise<void> {
    this.actions++;
    await this.page.click(selector, { count: 3 });
    await this.page.keyboard.type(text);
    await this.page.$eval(selector, (field) => (field as HTMLElement).blur());
  }

  async press(key: "Escape" | "Enter"): Promise<void> {
    this.actions++;
    await this.page.keyboard.press(key);
  }

  async select(selector: string, value: string): Promise<void> {
    this.actions++;
    await this.page.focus(selector);
    const by = await this.page.$eval(
      selector,
      (select, wanted) => {
        const { options, selectedIndex } = select as HTMLSelectElement;
        return [...options].findIndex((option) => option.value === wanted) - selectedIndex;
      },
      value,
    );
    // A person chooses with keys or the mouse; what a script selects is no action of theirs.
    for (let i = 0; i < Math.abs(by); i++) await this.page.keyboard.press(by > 0 ? "ArrowDown" : "ArrowUp");
    const chosen = await this.page.$eval(selector, (select) => (select as HTMLSelectElement).value);
    if (chosen !== value) throw new Error(`${selector} has ${chosen} instead of ${value}`);
  }

  /** Waits until the page shows this. */
  async sees(text: string): Promise<void> {
    await this.page.waitForFunction((wanted) => document.body.innerText.includes(wanted), {}, text);
  }

  async idle(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** Does so many things that have nothing to do with the bug. */
  async noise(count: number): Promise<void> {
    for (let i = 0; i < count * this.noiseShare; i++) {
      this.state = (this.state * 1_103_515_245 + 12_345) % 2_147_483_648;
      const choice = Math.floor(this.state / 65_536);
      switch (choice % 6) {
        case 0:
          await this.click("#like");
          break;
        case 1:
          await this.click("#theme");
          break;
        case 2:
          await this.fill("#notes", `note ${choice % 100}`);
          break;
        case 3:
          await this.click("#mail");
          break;
        case 4:
          await this.select("#size", SIZES[(SIZES.indexOf(await this.size()) + 1) % SIZES.length] as string);
          break;
        default:
          await this.click(`#tags li:nth-child(${1 + (choice % 2)}) button`);
      }
    }
  }

  private size(): Promise<string> {
    return this.page.$eval("#size", (select) => (select as HTMLSelectElement).value);
  }
}
