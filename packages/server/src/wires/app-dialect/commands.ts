import { setTimeout as sleep } from "node:timers/promises";
import {
  BridgeError,
  type Command,
  type CommandOf,
  type CommandOutcome,
  DEFAULT_MAX_TOKENS,
  estimateTokens,
  MASK,
  type UiTreeItem,
} from "@debug-bridge/protocol";
import { maskData } from "../../security/mask-data.js";
import type { DialectChannel } from "./channel.js";
import { maskState } from "./masking.js";
import { findItem, type Resolved, resolveTarget, unsupported } from "./resolve.js";
import type { DialectTree } from "./tree.js";
import { find, observe } from "./view.js";

const WAIT_MS = 10_000;
const POLL_MS = 250;
/** Beyond the end of any page; browsers stop at the end. */
const FAR = 10_000_000;

/** What the commands need of the connection. */
export interface DialectPage {
  readonly channel: DialectChannel;
  readonly tree: DialectTree;
  readonly url: string;
  /** Asks the page for its elements now. */
  refresh(): Promise<void>;
  /** Sends the elements to the agents. */
  emitTree(): void;
  emitSnapshot(html: string): void;
  /** Does something and waits for what it causes. */
  acting(command: Command, act: () => Promise<unknown>): Promise<CommandOutcome>;
}

/** Runs a command in a page that uses `debug-bridge-browser` 0.2. */
export async function runCommand(
  page: DialectPage,
  command: Command,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const { channel, tree } = page;
  switch (command.type) {
    case "request_ui_tree":
      await page.refresh();
      if (command.format === "text") return observe(tree, command, page.url);
      page.emitTree();
      return { value: { version: tree.version, url: page.url } };
    case "find":
      await page.refresh();
      return find(tree, command, page.url);
    case "request_dom_snapshot": {
      if (command.target) throw unsupported("snapshots of a part of the page");
      const reply = await channel.ask("request_dom_snapshot");
      if (reply.type === "dom_snapshot") page.emitSnapshot(reply.html);
      return {};
    }
    case "get_state":
      return readState(await channel.state(command.scope), command);
    case "screenshot":
      return screenshot(channel, command);
    case "wait_for":
      return waitFor(page, command, signal);
    default:
      return act(page, command);
  }
}

async function act(page: DialectPage, command: Command): Promise<CommandOutcome> {
  const { channel } = page;
  const send = (type: string, fields: object): Promise<unknown> => channel.command(type, fields);
  switch (command.type) {
    case "click": {
      const { button = "left", clickCount = 1, modifiers = [] } = command;
      if (button !== "left" || clickCount > 1 || modifiers.length > 0)
        throw unsupported("other clicks than one with the left button");
      const { address } = await resolved(page, command);
      return page.acting(command, () => send("click", { target: address }));
    }
    case "hover": {
      const { address } = await resolved(page, command);
      return page.acting(command, () => send("hover", { target: address }));
    }
    case "type":
      return typeText(page, command);
    case "select":
      return select(page, command);
    case "scroll":
      return scroll(page, command);
    case "navigate": {
      const url = checkedUrl(command.url, page.url);
      await send("navigate", { url });
      return { receipt: { settled: false, durationMs: 0, navigation: { from: page.url, to: url } } };
    }
    case "evaluate": {
      let value: unknown;
      const outcome = await page.acting(command, async () => {
        value = maskData((await channel.command("evaluate", { code: command.code })).result);
      });
      const result = typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
      return { ...outcome, result, ...(value === undefined ? {} : { value }) };
    }
    default:
      throw unsupported(`"${command.type}"`);
  }
}

async function resolved(
  page: DialectPage,
  { target }: Pick<CommandOf<"click">, "target">,
): Promise<Resolved> {
  await page.refresh();
  return resolveTarget(page.tree, target);
}

async function typeText(page: DialectPage, command: CommandOf<"type">): Promise<CommandOutcome> {
  const { item, address } = await resolved(page, command);
  const { text, clear = false, submit = false } = command;
  const options = { clear, pressEnter: submit };
  const outcome = await page.acting(command, () =>
    page.channel.command("type", { target: address, text, options }),
  );
  if (submit || !item) return outcome;
  const before = heldBy(item);
  const now = heldBy(sameElement(page.tree, item));
  if (before === MASK || now === MASK) return outcome;
  const isApplied = now === (clear ? text : before + text) || now !== before;
  return { ...outcome, applied: isApplied, value: { value: now } };
}

async function select(page: DialectPage, command: CommandOf<"select">): Promise<CommandOutcome> {
  const [value = "", ...more] = command.values;
  if (more.length > 0 || value === "") throw unsupported("selecting several options, or one without a value");
  const { item, address } = await resolved(page, command);
  const outcome = await page.acting(command, () =>
    page.channel.command("select", { target: address, value }),
  );
  const now = item && heldBy(sameElement(page.tree, item));
  if (now === undefined || now === value) return outcome;
  const message = `no option has the value "${value}"; debug-bridge-browser 0.2 selects by value, not by label`;
  return { ...outcome, applied: false, message, value: { value: now } };
}

async function scroll(page: DialectPage, command: CommandOf<"scroll">): Promise<CommandOutcome> {
  const { target, x = 0, y = 0, to } = command;
  if (target) throw unsupported("scrolling to or inside an element");
  const at = await position(page);
  const top = to === "top" ? 0 : to === "bottom" ? FAR : Math.max(0, at.y + y);
  const goal = { x: Math.max(0, at.x + x), y: top };
  const outcome = await page.acting(command, () => page.channel.command("scroll", goal));
  const now = await position(page);
  return { ...outcome, value: { position: now, moved: { x: now.x - at.x, y: now.y - at.y } } };
}

async function position({ channel }: DialectPage): Promise<{ x: number; y: number }> {
  const state = (await channel.state("viewport")).get("viewport") as { scrollX?: unknown; scrollY?: unknown };
  return { x: Number(state?.scrollX) || 0, y: Number(state?.scrollY) || 0 };
}

async function screenshot(
  channel: DialectChannel,
  command: CommandOf<"screenshot">,
): Promise<CommandOutcome> {
  if (command.target ?? command.labels) throw unsupported("pictures of a part, or with labels");
  const reply = await channel.ask("request_screenshot", { fullPage: command.fullPage });
  if (reply.type !== "screenshot") throw new BridgeError("internal", "the app sent no picture");
  const [, mimeType, data] =
    /^data:(image\/(?:png|jpeg|webp));base64,([\w+/]+={0,2})$/.exec(reply.data) ?? [];
  if (!data) throw new BridgeError("internal", reply.error?.message ?? "the app could not take a picture");
  return { value: { mimeType, data } };
}

async function waitFor(
  page: DialectPage,
  { target, state = "visible", text, url, idle, maxMs, timeoutMs }: CommandOf<"wait_for">,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  if (text ?? idle) throw unsupported("waiting for text or for quiet; wait for an element (target) or a url");
  if (target?.selector ?? target?.point)
    throw unsupported("waiting for a selector; name the element by its text or id");
  const limit = maxMs ?? timeoutMs ?? WAIT_MS;
  for (const ends = performance.now() + limit; ; ) {
    if (target) await page.refresh();
    const isThere = !target || isInState(state, target && findItem(page.tree, target));
    if (isThere && (url === undefined || page.url.includes(url))) return {};
    signal.throwIfAborted();
    if (performance.now() >= ends)
      throw new BridgeError(
        "timeout",
        `waited ${limit} ms; ${isThere ? `the URL is ${page.url}` : `no element is ${state}`}`,
      );
    await sleep(POLL_MS);
  }
}

function isInState(
  state: NonNullable<CommandOf<"wait_for">["state"]>,
  item: UiTreeItem | undefined,
): boolean {
  const isVisible = item !== undefined && item.visible !== false;
  if (state === "detached") return item === undefined;
  if (state === "attached") return item !== undefined;
  if (state === "hidden") return !isVisible;
  return isVisible && (state === "visible" || !item.disabled);
}

function readState(
  found: ReadonlyMap<string, unknown>,
  { scope, maxTokens = DEFAULT_MAX_TOKENS }: CommandOf<"get_state">,
): CommandOutcome {
  if (scope !== undefined && !found.has(scope))
    throw new BridgeError(
      "target_not_found",
      `the app has no state "${scope}"; call without a scope to see all`,
      {
        field: "scope",
      },
    );
  const all = Object.fromEntries([...found].map(([name, state]) => [name, maskState(name, state)]));
  const value = scope === undefined ? all : all[scope];
  const text = JSON.stringify(value) ?? "null";
  const tokens = estimateTokens(text);
  if (tokens <= maxTokens) return { result: text, value, page: { tokens } };
  const advice =
    scope === undefined ? `ask for one scope: ${Object.keys(all).join(", ")}` : "raise maxTokens";
  throw new BridgeError(
    "too_large",
    `the state has about ${tokens} tokens, more than ${maxTokens}; ${advice}`,
  );
}

/** The page itself would run `javascript:` URLs. */
function checkedUrl(url: string, base: string): string {
  const parsed = URL.canParse(url, base) ? new URL(url, base) : undefined;
  if (parsed && (parsed.protocol === "http:" || parsed.protocol === "https:")) return parsed.href;
  throw new BridgeError("navigation_failed", `a page does not navigate to "${url}"; use http or https`, {
    field: "url",
  });
}

function heldBy(item: UiTreeItem | undefined): string {
  return item?.meta?.value ?? "";
}

function sameElement({ items }: DialectTree, { ref }: UiTreeItem): UiTreeItem | undefined {
  return items.find((item) => item.ref === ref);
}
