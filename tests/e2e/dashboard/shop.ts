import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ROOT, start, until } from "../../fixtures.js";
import { projectFolder } from "../../support/hub/project.js";
import type { DashboardStage } from "./stage.js";

export interface ShopFolder {
  readonly root: string;
  readonly url: string;
  /** The line that fails after the edit, as `checkout.tsx:21:`. */
  readonly failing: string;
  /** Replaces a part of a file, as an editor does. */
  save(file: string, before: string, after: string): void;
}

const CHECKOUT = "src/checkout.tsx";
/** The server wants `quantity`. */
const RIGHT = "({ sku, quantity: qty })";
const WRONG = "({ sku, qty })";

/** A copy of the example with its development server. Its planted bug is fixed, and it shows the number of the order. */
async function serveShop({ home, ready }: Pick<DashboardStage, "home" | "ready">): Promise<ShopFolder> {
  const parent = projectFolder({});
  const root = join(parent, "shop-react");
  for (const name of ["shared", "shop-react"])
    cpSync(join(ROOT, "examples", name), join(parent, name), {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
  const save: ShopFolder["save"] = (file, before, after) => {
    const path = join(root, file);
    const text = readFileSync(path, "utf8");
    if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`);
    writeFileSync(path, text.replace(before, after));
  };
  save(CHECKOUT, WRONG, RIGHT);
  save(
    CHECKOUT,
    "empty();",
    `const { id } = await response.json();\n    setMessage("Order " + id.toFixed());\n    empty();`,
  );
  // In a separate process: inside a test runner the plugin reports no edits.
  const { output } = start(
    process.execPath,
    [join(ROOT, "node_modules/vite/bin/vite.js"), "--host", "127.0.0.1", "--port", "0"],
    { VITEST: "", DEBUG_BRIDGE_HOME: home, DEBUG_BRIDGE_HUB: ready.hub },
    root,
  );
  const url = await until(() => /http:\/\/127\.0\.0\.1:\d+\//.exec(output.stdout)?.[0]);
  const lines = readFileSync(join(root, CHECKOUT), "utf8").split("\n");
  const failing = `checkout.tsx:${lines.findIndex((line) => line.includes("toFixed")) + 1}:`;
  return { root, url, failing, save };
}

/** An agent orders tea. */
async function order({ act }: DashboardStage): Promise<void> {
  await act({ type: "click", target: { text: "Products" } });
  await act({ type: "click", target: { text: "Add Green tea" } });
  await act({ type: "click", target: { role: "link", name: "Checkout" } });
  await act({ type: "type", target: { role: "textbox", name: "Name" }, text: "Ada" });
  await act({ type: "click", target: { text: "Place order" } });
}

/** An agent orders in the shop; then somebody saves an edit that breaks the checkout, and the agent orders again. */
export async function breakCheckout(dashboard: DashboardStage): Promise<ShopFolder> {
  const shop = await serveShop(dashboard);
  const { page } = await dashboard.open(shop.url);
  await page.getByRole("button", { name: "Add Green tea" }).waitFor();
  await dashboard.page.getByRole("link", { name: "Shop (React)" }).waitFor();
  await order(dashboard);
  await page.getByText("Order 4711").waitFor();
  shop.save(CHECKOUT, RIGHT, WRONG);
  await dashboard.act({ type: "wait_for", edit: CHECKOUT });
  await order(dashboard);
  expect(await page.getByText("Order 4711").count()).toBe(0);
  return shop;
}
