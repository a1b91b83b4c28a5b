import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ReproduceCase } from "./case.js";
import { NOISE_HTML, NOISE_SCRIPT } from "./person.js";

/** Serves the app of a case, with its bug or without. */
export class AppServer {
  fixed = false;
  /** Requests of the app's scripts that reached the server, as `POST /api/orders`. */
  readonly calls: string[] = [];
  private readonly server: Server;

  constructor(private readonly about: ReproduceCase) {
    this.server = createServer((request, response) => {
      let body = "";
      request.on("data", (data) => {
        body += data;
      });
      request.on("end", async () => {
        if (request.url?.startsWith("/api/")) this.calls.push(`${request.method} ${request.url} ${body}`);
        const { status = 200, type, text } = await this.answer(request.url ?? "/", body);
        response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
        response.end(text);
      });
    });
  }

  private async answer(path: string, body: string): Promise<{ status?: number; type: string; text: string }> {
    const { html, script, api, name } = this.about;
    if (path === "/")
      return {
        type: "text/html; charset=utf-8",
        text: `<!doctype html><html lang="en"><title>${name}</title><body><main>${html}</main>${NOISE_HTML}<script src="/app.js"></script></body></html>`,
      };
    if (path === "/app.js")
      return { type: "text/javascript", text: `const FIXED = ${this.fixed};${NOISE_SCRIPT}${script}` };
    if (!path.startsWith("/api/") || !api) return { status: 404, type: "text/plain", text: "" };
    const { status, json } = await api(path, body);
    return { ...(status ? { status } : {}), type: "application/json", text: JSON.stringify(json) };
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
