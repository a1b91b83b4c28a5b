import { join } from "node:path";
import { readRegular } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import { z } from "zod";

/** The file in the home that names agents of the Agent Client Protocol. Only the person writes it: it names programs. */
export const ACP_FILE = "acp-agents.json";

const MAX_AGENTS = 50;

const agentSchema = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  /** Kinds of tools that it may use without asking, besides those that only read. */
  allow: z.array(z.enum(["edit", "delete", "move", "execute"])).default([]),
});
export type AcpAgent = z.output<typeof agentSchema> & { readonly name: string };

const fileSchema = z.record(
  z.string().regex(/^[\w.-]{1,60}$/, "a name has letters, digits, . _ and -"),
  agentSchema,
);

/** The agents of a home; none without the file. Throws when the file is wrong. */
export function readAcpAgents(home: string): AcpAgent[] {
  let text: string;
  try {
    text = readRegular(join(home, ACP_FILE));
  } catch {
    return [];
  }
  const wrong = (why: string): BridgeError =>
    new BridgeError(
      "invalid_message",
      `${join(home, ACP_FILE)} is wrong: ${why}; write {"NAME": {"command": "…", "args": ["…"]}}`,
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw wrong((thrown as Error).message);
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw wrong(`${issue?.path.join(".") || "the file"}: ${issue?.message}`);
  }
  return Object.entries(parsed.data)
    .slice(0, MAX_AGENTS)
    .map(([name, agent]) => ({ name, ...agent }));
}
