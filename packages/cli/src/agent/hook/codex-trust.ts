import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** How long Codex may take to list its hooks. */
const ANSWER_TIMEOUT_MS = 10_000;

export interface ListedHook {
  readonly command: string;
  /** `trusted`, `untrusted`, `modified` or `managed`, in the words of Codex. */
  readonly trust: string;
  readonly enabled: boolean;
}

/** The hooks that Codex itself knows, and whether the person trusts them; undefined when Codex does not answer. */
export async function codexHooks(program = "codex"): Promise<ListedHook[] | undefined> {
  const child = spawn(program, ["app-server"], { stdio: ["pipe", "pipe", "ignore"] });
  const answer = new Promise<unknown>((resolve) => {
    child.on("error", () => resolve(undefined));
    child.on("close", () => resolve(undefined));
    child.stdin.on("error", () => resolve(undefined));
    setTimeout(() => resolve(undefined), ANSWER_TIMEOUT_MS).unref();
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { id, result } = parse(line);
      if (id === 2) resolve(result);
    });
  });
  const clientInfo = { name: "debug-bridge", version: "0" };
  const messages = [
    { id: 1, method: "initialize", params: { clientInfo } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [process.cwd()] } },
  ];
  for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`);
  try {
    return hooksIn(await answer);
  } finally {
    child.kill();
  }
}

function hooksIn(result: unknown): ListedHook[] | undefined {
  const { data } = fieldsOf(result);
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((entry) => {
    const { hooks } = fieldsOf(entry);
    return (Array.isArray(hooks) ? hooks : []).flatMap((hook) => {
      const { command, trustStatus, enabled } = fieldsOf(hook);
      if (typeof command !== "string" || typeof trustStatus !== "string") return [];
      return { command, trust: trustStatus, enabled: enabled !== false };
    });
  });
}

function parse(line: string): Record<string, unknown> {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return {};
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
