import type { SessionSummary } from "@debug-bridge/protocol";
import { z } from "zod";
import { forModel } from "../answers/model-text.js";
import { rareMaxTokensField } from "../input/fields.js";
import { defineTool } from "../tool.js";

export const sessionsTool = defineTool({
  name: "sessions",
  description:
    "Lists what can be debugged: apps, the person's tabs, launched browsers, agents. Other tools take session, an id; by default the only one, else the tab in front, else the last used. maxTokens bounds any answer, 2000 by default; cursor returns the rest.",
  input: z.object({ maxTokens: rareMaxTokensField }),
  readOnly: true,
  async run({ maxTokens }, { hub }) {
    const sessions = await hub.sessions();
    // What is connected comes first, so that it is shown even when the budget is small.
    const ordered = [...sessions].sort((a, b) => Number(b.connected) - Number(a.connected));
    const content = ordered.map(sessionLine).join("\n") || "none";
    const advice = "ask again with a larger maxTokens";
    return { text: forModel({ content, source: "the hub", maxTokens, advice }), data: { sessions } };
  },
});

function sessionLine({ id, kind, connected, url, title, leaseOwner }: SessionSummary): string {
  const words = [id, kind, connected ? "connected" : "gone", url, title && `"${title}"`];
  return [...words, leaseOwner && `used by ${leaseOwner}`].filter(Boolean).join(" ").replaceAll(/\s+/g, " ");
}
