import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { CLI } from "../../fixtures.js";

export interface Called {
  readonly text: string;
  readonly isError: boolean;
  readonly images: { readonly data: string; readonly mimeType: string }[];
}

/** A real MCP client on `debug-bridge mcp`, as agents start it: from its bundle. */
export async function mcpClient(
  args: string[],
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<McpUser> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp", ...args],
    env: { PATH: process.env.PATH ?? "", ...env },
    stderr: "inherit",
    cwd,
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return new McpUser(client, transport.pid ?? 0);
}

export class McpUser {
  constructor(
    readonly client: Client,
    readonly pid: number,
  ) {}

  async call(name: string, input: Record<string, unknown> = {}): Promise<Called> {
    const { content, isError } = await this.client.callTool({ name, arguments: input });
    const blocks = content as { type: string; text?: string; data?: string; mimeType?: string }[];
    return {
      text: blocks.flatMap(({ type, text = "" }) => (type === "text" ? [text] : [])).join("\n"),
      isError: isError === true,
      images: blocks.flatMap(({ type, data = "", mimeType = "" }) =>
        type === "image" ? [{ data, mimeType }] : [],
      ),
    };
  }
}
