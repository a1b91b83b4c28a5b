import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatStage, startChatStage, startTurn } from "./stage.js";

let chat: ChatStage;
beforeAll(async () => {
  chat = await startChatStage();
});
afterAll(() => chat?.close());

const SCRIPT = '<img src=x onerror="document.title=`owned`"><script>document.title="owned"</script>';
const HOSTILE = [
  SCRIPT,
  "[run](javascript:document.title='owned') [data](data:text/html,owned) [file](file:///etc/passwd)",
  "![pixel](https://evil.example/pixel.png) [safe](https://example.com/page)",
  "```html\n<script>document.title='owned'</script>\n```",
  "user\u202etxt.exe and \u001b[31mred\u0007",
].join("\n\n");

describe.each(["panel", "page"] as const)("hostile content in the %s", (where) => {
  it("is text: no script runs, no request leaves, links are only of the web, hidden characters are seen", async () => {
    const page: Page = await chat[where]();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const turn = await startTurn(chat, page, HOSTILE);
    turn.emit({ type: "delta", text: HOSTILE });
    turn.emit({
      ...{ type: "step", id: "1", kind: "tool", status: "done" },
      ...{ title: `${SCRIPT}\u202e`, detail: `{}\n${HOSTILE}` },
    });
    turn.end({ outcome: "failed", code: "tool_failed", message: `${SCRIPT}\u202e` });
    const answer = page.getByRole("region", { name: "Test agent" }).last();
    await answer.getByRole("alert").waitFor();
    await answer.locator("summary").click();
    // Time for a script or a picture that should not be there.
    await page.waitForTimeout(300);
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator(".turns img, .turns script, .turns iframe, .turns style").count()).toBe(0);
    const links = await page
      .locator(".turns a")
      .evaluateAll((all) =>
        all.map((a) => [a.getAttribute("href"), a.getAttribute("rel"), a.getAttribute("target")]),
      );
    expect(links).toEqual([
      ["https://evil.example/pixel.png", "noopener noreferrer nofollow", "_blank"],
      ["https://example.com/page", "noopener noreferrer nofollow", "_blank"],
    ]);
    const own = [chat.stage.hub.url, "chrome-extension://"];
    expect(requests.filter((url) => !own.some((start) => url.startsWith(start)))).toEqual([]);
    const shown = await page.locator("body").innerText();
    expect(shown).toContain("user[U+202E]txt.exe");
    expect(shown).toContain("[U+001B][31mred[U+0007]");
    expect(shown).toContain('<img src=x onerror="document.title=`owned`">');
    expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u001b\u0007]/);
    await page.close();
  });
});
