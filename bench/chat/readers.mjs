/**
 * Readers of server-sent events in a thread of their own: how long each event took since it was made, and what each
 * stream said. A piece of text is `INDEX:NUMBER:TIME;`.
 */
import { get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

const now = () => performance.timeOrigin + performance.now();
/** The first pieces meet code that was never run. */
const WARM_UP = 15;
const { streams, pieces } = workerData;
const latencies = [];
const texts = streams.map(() => "");
let ended = 0;

for (const [index, { url, headers }] of streams.entries())
  get(url, { headers, agent: false }, (response) => {
    let rest = "";
    response.setEncoding("utf8").on("data", (chunk) => {
      const received = now();
      const blocks = (rest + chunk).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        const text = data && JSON.parse(data).payload?.text;
        if (!text) continue;
        texts[index] += text;
        for (const [, piece, time] of text.matchAll(/\d+:(\d+):([\d.]+);/g))
          if (Number(piece) >= WARM_UP) latencies.push(received - Number(time));
      }
      if (texts[index].includes(`:${pieces - 1}:`) && texts[index].endsWith(";") && response.destroy())
        if (++ended === streams.length) parentPort.postMessage({ latencies, texts });
    });
    parentPort.postMessage("open");
  });
