import { afterAll, beforeAll, expect, it } from "vitest";
import { until } from "../../fixtures.js";
import { type EventReader, readEvents } from "../../support/hub/event-reader.js";
import { Stage } from "./stage.js";

let stage: Stage;
let session: string;
beforeAll(async () => {
  stage = await Stage.start();
  session = `/v1/sessions/tab-${stage.hub.relay.tabs()[0]?.tabId}`;
});
afterAll(() => stage.close());

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${stage.hub.url}${path}`, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${stage.hub.token}` },
  });
const look = (): Promise<EventReader<{ at: number }>> => readEvents({ call }, `${session}/frames/live`);

it("does not attach the debugger to a tab that is watched, and pictures it once it is looked at", async () => {
  const { events } = await look();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(stage.hub.relay.tabs()[0]).toMatchObject({ attached: false });
  expect((await call(`${session}/outline`)).status).toBe(200);
  await until(() => events.length > 0);
  const picture = await call(`${session}/frames?at=${Date.now()}`);
  expect(picture.headers.get("content-type")).toBe("image/jpeg");
  const before = events.length;
  await call(`${session}/commands`, {
    method: "POST",
    body: '{"type":"click","target":{"selector":"#count"}}',
  });
  await until(() => events.length > before);
  await until(async () => {
    const { last } = (await (await call(`${session}/frames`)).json()) as { last: number };
    return last === events.at(-1)?.at;
  });
});

it("gives way to the screencast of a client, and never ends it", async () => {
  const { events } = await look();
  await until(() => events.length > 0);
  const browser = await stage.playwright();
  const [page] = browser.contexts()[0]?.pages() ?? [];
  if (!page) throw new Error("the client sees no tab");
  const cdp = await page.context().newCDPSession(page);
  const frames: number[] = [];
  cdp.on("Page.screencastFrame", ({ data, sessionId }) => {
    frames.push(data.length);
    void cdp.send("Page.screencastFrameAck", { sessionId });
  });
  await cdp.send("Page.startScreencast", { format: "jpeg", quality: 80 });
  await until(() => frames.length > 0);
  const ours = events.length;
  // Somebody else looks: the client keeps its own.
  await look();
  const theirs = frames.length;
  await page.click("#count");
  await until(() => frames.length > theirs);
  expect(events.length).toBe(ours);
  await cdp.send("Page.stopScreencast");
  await look();
  await until(() => events.length > ours);
});
