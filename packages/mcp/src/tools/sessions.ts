import { fence } from "@debug-bridge/protocol";
import { z } from "zod";
import { defineTool } from "../tool.js";

export const sessionsTool = defineTool({
  name: "sessions",
  title: "Sessions",
  description: "Lists what can be debugged: apps, tabs of the person's Chrome, launched browsers, agents.",
  input: z.object({}),
  readOnly: true,
  async run(_input, { hub }) {
    const sessions = await hub.sessions();
    const lines = sessions.map(({ id, kind, connected, url, title, leaseOwner }) =>
      [
        id,
        kind,
        connected ? "connected" : "gone",
        url,
        title && `"${title}"`,
        leaseOwner && `used by ${leaseOwner}`,
      ]
        .filter(Boolean)
        .join(" "),
    );
    return { text: fence(lines.join("\n") || "none", hub.url), data: { sessions } };
  },
});
