import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { explain, explainPageError } from "./catalogue.js";
import { devCommand } from "./dev-command.js";

describe("the catalogue", () => {
  it.each([
    ["ReferenceError: cart is not defined", "undefined-variable", "javascript", '"cart"'],
    [
      "Uncaught TypeError: Cannot read properties of undefined (reading 'map')",
      "undefined-property",
      "javascript",
      '"map"',
    ],
    ["TypeError: store.dispatch is not a function", "not-a-function", "javascript", '"store.dispatch"'],
    [
      `Failed to resolve module specifier "lodash"`,
      "missing-dependency",
      "javascript",
      '"lodash" cannot be loaded',
    ],
    ["Cannot find module './cart'", "missing-dependency", "javascript", '"./cart"'],
    ["Uncaught SyntaxError: Unexpected token '<'", "html-for-script", "javascript", "HTML page"],
    ["net::ERR_NAME_NOT_RESOLVED at http://nope.test/", "dns", "network", "DNS"],
    ["net::ERR_INTERNET_DISCONNECTED", "offline", "network", "network connection"],
    ["net::ERR_CONNECTION_RESET", "connection-lost", "network", "closed the connection"],
    ["net::ERR_EMPTY_RESPONSE", "connection-lost", "network", "server's own log"],
    [
      "net::ERR_CERT_AUTHORITY_INVALID at https://localhost/",
      "certificate",
      "network",
      "SSL/TLS certificate",
    ],
    ["net::ERR_SSL_PROTOCOL_ERROR", "certificate", "network", "SSL/TLS"],
    [
      "Failed to load resource: the server responded with a status of 404",
      "resource",
      "resource",
      "networkEvents",
    ],
    ["Access to fetch at 'x' has been blocked by CORS policy", "blocked-resource", "resource", "CORS"],
    ["Navigation timeout of 15000 ms exceeded", "navigation-timeout", "network", "timeoutMs"],
    ["Attempted to use detached Frame 'ABC'.", "detached", "automation", "wait briefly after a navigation"],
    ["Node is detached from document", "detached", "automation", "wait briefly"],
    ["net::ERR_ABORTED at http://a.test/", "aborted", "network", "was aborted"],
    ["net::ERR_TOO_MANY_REDIRECTS", "redirect-loop", "network", "in a loop"],
    ["Page crashed: its process ended", "renderer-crash", "automation", "crashed"],
    ["TargetClosedError: the page was closed", "browser-gone", "automation", "starts it again"],
    ["click took longer than 15000 ms", "hanging", "automation", "endless loop"],
  ])("explains %s [RUN-040…046, RUN-128]", (message, id, category, hint) => {
    const found = explain(message);
    expect(found).toMatchObject({ id, category });
    expect(found.hint).toContain(hint);
  });

  it("asks the user to start the development server, and never starts it itself [RUN-047]", () => {
    const context = { url: "http://localhost:5173/cart", devCommand: "pnpm dev" };
    const { id, hint } = explain("net::ERR_CONNECTION_REFUSED at http://localhost:5173/cart", context);
    expect(id).toBe("server-not-running");
    expect(hint).toContain("localhost:5173");
    expect(hint).toContain("new terminal tab");
    expect(hint).toContain("`pnpm dev`");
    expect(hint).toContain("do not start it for them");
    const other = explain("net::ERR_CONNECTION_REFUSED", { url: "http://shop.example.com:81/" });
    expect(other.hint).not.toContain("terminal");
    expect(other.hint).toContain("shop.example.com:81");
  });

  it("has a general hint for unknown errors", () => {
    expect(explain("something odd")).toMatchObject({ id: "unknown", code: "internal" });
    expect(explainPageError("Error: the cart is empty")).toMatchObject({
      id: "script-error",
      category: "javascript",
    });
  });
});

describe("the command that starts a development server", () => {
  it("is read from the project and named with its package manager", () => {
    const folder = mkdtempSync(join(tmpdir(), "debug-bridge-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(devCommand(folder)).toBeUndefined();
    writeFileSync(join(folder, "package.json"), "{");
    expect(devCommand(folder)).toBeUndefined();
    writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { start: "x", build: "y" } }));
    expect(devCommand(folder)).toBe("npm run start");
    writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { start: "x", dev: "vite" } }));
    writeFileSync(join(folder, "pnpm-lock.yaml"), "");
    expect(devCommand(folder)).toBe("pnpm dev");
    mkdirSync(join(folder, "empty"));
    expect(devCommand(join(folder, "empty"))).toBeUndefined();
  });
});
