import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { request } from "./request.js";

const SERVER = `
const server = require("node:http").createServer((_, response) => response.end("hello"));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

test("an answer that arrived while this process stood still counts, though the time is over", async () => {
  const child = spawn(process.execPath, ["-e", SERVER]);
  onTestFinished(() => void child.kill());
  const port = String((await once(child.stdout, "data"))[0]).trim();
  const url = `http://127.0.0.1:${port}/`;
  await request(url);
  const answer = request(url, { timeoutMs: 2_000 });
  for (const ends = performance.now() + 2_500; performance.now() < ends; );
  expect((await answer).text).toBe("hello");
});

test("a request without an answer ends after its time", async () => {
  const server = createServer(() => {});
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await expect(request(`http://127.0.0.1:${port}/`, { timeoutMs: 300 })).rejects.toThrow();
});
