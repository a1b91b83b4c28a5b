/** What the extension costs a page that logs, against the same page without it. */
import { figure, median } from "../lib/figure.mjs";
import { runPage } from "./lib.mjs";

const ROUNDS = 5;

/** 5,000 calls a second for two seconds; what else the page gets done in that time is the measure. */
const PACED = `
  const until = performance.now() + 2000;
  let calls = 0, work = 0, inCalls = 0, x = 1;
  const began = performance.now();
  while (performance.now() < until) {
    const due = (performance.now() - began) * 5;
    const started = performance.now();
    while (calls < due) console.log("request " + ++calls + " took 12 ms");
    inCalls += performance.now() - started;
    for (let i = 0; i < 2000; i++) x = (x * 16807) % 2147483647;
    work++;
  }
  await report({ calls, work, inCalls, x });
`;
/** Few calls, so that none is dropped. */
const FEW = `
  const times = [];
  for (let round = 0; round < 4; round++) {
    const started = performance.now();
    for (let i = 0; i < 45; i++) console.log("user logged in");
    times.push((performance.now() - started) / 45 * 1000);
    await new Promise((resolve) => setTimeout(resolve, 1100));
  }
  await report({ us: times.sort((a, b) => a - b)[2] });
`;
const MILLION = `
  const make = () => { const table = {}; for (let i = 0; i < 1e6; i++) table["key" + i] = i; return table };
  const times = [];
  for (let i = 0; i < 3; i++) { const table = make(), started = performance.now(); console.log(table); times.push(performance.now() - started) }
  await report({ ms: times.sort((a, b) => a - b)[1] });
`;
/** The least that V8 asks for to tell that an object has many keys, with nothing of ours in the page. */
const PASS = `
  const times = [];
  for (let i = 0; i < 3; i++) { const table = {}; for (let k = 0; k < 1e6; k++) table["key" + k] = k; const started = performance.now(); Object.getOwnPropertySymbols(table); times.push(performance.now() - started) }
  await report({ ms: times.sort((a, b) => a - b)[1] });
`;
const LARGE = `
  const row = (i) => ({ id: i, name: "Item " + i, price: i * 1.5, tags: ["a", "b"], nested: { created: new Date(i), ok: true } });
  const rows = Array.from({ length: 100000 }, (_, i) => row(i));
  rows.push(rows);
  // What the page itself left for the collector is not ours.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const started = performance.now(); console.log(rows);
  await report({ ms: performance.now() - started });
`;
const PROXIES = `
  const list = [], started = performance.now();
  for (let i = 0; i < 100000; i++) list.push(new Proxy({}, {}));
  await report({ ms: performance.now() - started, n: list.length });
`;

async function both(code, read) {
  const results = { without: [], with: [] };
  for (let round = 0; round < ROUNDS; round++) {
    results.without.push(read((await runPage(code, { extension: false })).value));
    results.with.push(read((await runPage(code, { extension: true })).value));
  }
  return { without: median(results.without), with: median(results.with) };
}

const work = await both(PACED, ({ work }) => work);
figure({
  name: "page slowdown while it logs 5,000 lines a second",
  value: work.without / work.with,
  unit: "x",
  limit: 1.1,
  note: `work done in 2 s: ${work.without} without, ${work.with} with the extension`,
});
const few = await both(FEW, ({ us }) => us);
figure({
  name: "one console.log of a string, reported",
  value: few.with - few.without,
  unit: "us more than without",
  note: `${few.without.toFixed(1)} without, ${few.with.toFixed(1)} with`,
});
const million = await both(MILLION, ({ ms }) => ms);
const pass = (await runPage(PASS, { extension: false })).value.ms;
figure({
  name: "console.log of an object with a million keys",
  value: million.with - million.without,
  unit: "ms more than without",
  // Where V8 alone takes longer than 20 ms for the cheapest pass, our own part may add a quarter.
  limit: Math.max(20, Math.round(pass * 1.25)),
  note: `${million.without.toFixed(1)} without, ${million.with.toFixed(1)} with; V8's one pass over the keys alone: ${pass.toFixed(1)}`,
});
const large = await both(LARGE, ({ ms }) => ms);
figure({
  name: "console.log of 100,000 rows with a cycle",
  value: large.with - large.without,
  unit: "ms more than without",
  limit: 20,
  note: `${large.without.toFixed(1)} without, ${large.with.toFixed(1)} with`,
});
const proxies = await both(PROXIES, ({ ms }) => ms);
figure({
  name: "new Proxy",
  value: ((proxies.with - proxies.without) / 100_000) * 1_000_000,
  unit: "ns more than without",
  note: `100,000 in ${proxies.without.toFixed(1)} ms without, ${proxies.with.toFixed(1)} with`,
});
