import { afterAll, beforeAll, it } from "vitest";
import { EngineBrowser } from "./engine-page.js";
const browser = new EngineBrowser();
beforeAll(() => browser.start());
afterAll(() => browser.stop());
it("x", async () => {
  for (const html of (process.env.HTML ?? "").split("|||")) {
    const engine = await browser.open(html);
    const a = await engine.run({ type: "request_ui_tree", format: "text", maxTokens: Number(process.env.TOK ?? 2000) } as never);
    process.stdout.write(`--- ${html}\n${a.result ?? JSON.stringify(a)}\n`);
    process.stdout.write(JSON.stringify((await engine.tree()).map(({ref,role,text,name,visible,hiddenBy,meta})=>({ref,role,text,name,visible,hiddenBy,meta})))+"\n");
  }
});
