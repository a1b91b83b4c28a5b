/** What people do with Playwright all day, in new tabs: clicks, fills, scrolls, waits, pictures. */
import { figure } from "../lib/figure.mjs";
import { startStage } from "./lib.mjs";

const ROUNDS = 5;
const ROWS = 12;
const page = `<title>Actions</title><style>.row{height:300px}#late{display:none}</style>
<script>
  function later() {
    const late = document.getElementById("late");
    late.style.display = "none";
    setTimeout(() => { late.style.display = "block"; }, 20);
  }
</script>
<button onclick="later()">Later</button><p id="late">Here</p>
${Array.from(
  { length: ROWS },
  (_, i) => `<div class="row"><label>Name ${i} <input></label>
  <label><input type="checkbox"> Agree ${i}</label>
  <select aria-label="Size ${i}"><option>S<option>M<option>L</select>
  <button onclick="this.nextElementSibling.textContent = 'Saved ${i}'">Save ${i}</button><output></output></div>`,
).join("")}`;

/** The same actions, whatever carries them out. Returns how many there were. */
async function work(tab, url) {
  let count = 0;
  const step = async (action) => {
    await action;
    count++;
  };
  await step(tab.goto(url));
  for (let i = 0; i < ROWS; i++) {
    await step(tab.getByLabel(`Name ${i}`, { exact: true }).fill(`Ada ${i}`));
    await step(tab.getByLabel(`Agree ${i}`, { exact: true }).check());
    await step(tab.getByLabel(`Size ${i}`, { exact: true }).selectOption("M"));
    await step(tab.getByRole("button", { name: `Save ${i}`, exact: true }).click());
    await step(tab.getByText(`Saved ${i}`, { exact: true }).waitFor());
    await step(tab.mouse.wheel(0, 250));
    await step(tab.getByLabel(`Name ${i}`, { exact: true }).press("End"));
    if (i % 3 === 0) await step(tab.screenshot());
    if (i % 3 === 1) {
      await step(tab.getByRole("button", { name: "Later" }).click());
      await step(tab.locator("#late").waitFor());
    }
    await step(tab.getByRole("button", { name: `Save ${i}`, exact: true }).hover());
  }
  return count;
}

const stage = await startStage({ page });
try {
  const beside = await stage.hubWithoutExtension();
  const clients = {
    direct: await stage.playwright(stage.direct),
    relay: await stage.playwright(stage.relay),
    hub: await stage.playwright(beside.relay),
  };
  const times = { direct: [], relay: [], hub: [] };
  let count = 0;
  for (let round = -1; round < ROUNDS; round++)
    for (const way of ["direct", "relay", "hub"]) {
      const started = performance.now();
      const tab = await clients[way].contexts()[0].newPage();
      count = await work(tab, stage.url);
      await tab.close();
      if (round >= 0) times[way].push(performance.now() - started);
    }
  const direct = Math.min(...times.direct);
  const ofChrome = Math.min(...times.relay) - Math.min(...times.hub);
  for (const [way, name, rest] of [
    [
      "relay",
      "through the extension",
      `; the extension and chrome.debugger take ${ofChrome.toFixed(0)} of it`,
    ],
    ["hub", "without the extension", ""],
  ]) {
    const took = Math.min(...times[way]);
    figure({
      name: `${count} Playwright actions in a new tab, ${name}`,
      value: took / direct,
      unit: "x direct",
      limit: 1.4,
      note: `${direct.toFixed(0)} and ${took.toFixed(0)} ms${rest}`,
    });
  }
  for (const client of Object.values(clients)) await client.close();
  await beside.close();
} finally {
  await stage.close();
}
