import { BridgeError, type CommandInput, type Target, type UiTreeItem } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import type { BrowserHubClient } from "../hub/browser-hub.js";
import { PageCommands } from "../hub/page-commands.js";
import { ActionLogs } from "../report/logs.js";
import type { ActionContext } from "./context.js";
import { withElement } from "./named-element.js";

const item = (role: string, text: string, ref: string): UiTreeItem => ({
  id: ref,
  selector: ref,
  role,
  text,
  ref,
});

const PAGE = [
  item("button", "Sign in", "e1"),
  item("button", "Sign in with a passkey", "e2"),
  item("link", "Delete", "e3"),
  item("link", "Delete", "e4"),
  item("button", "Unsubscribe", "e5"),
];

/** A hub whose page shows some elements, and whose only selector is `#login`. */
function pageWith(items: UiTreeItem[]): { context: ActionContext; sent: Target[] } {
  const sent: Target[] = [];
  const listeners = new Set<Parameters<BrowserHubClient["subscribe"]>[1]>();
  const result = { type: "command_result", sessionId: "s", timestamp: 0, origin: "hub" } as const;
  const client: BrowserHubClient = {
    async command(_, input: CommandInput) {
      if (input.type === "request_ui_tree") {
        const record = { type: "ui_tree", timestamp: "", sessionId: "s", sequence: 1, data: { items } };
        for (const listener of listeners) listener(record);
      } else if ("target" in input && input.target) {
        sent.push(input.target);
        if (input.target.selector !== undefined && input.target.selector !== "#login")
          return {
            ...result,
            requestType: input.type,
            success: false,
            error: "target_not_found",
            message: "none",
          };
      }
      return { ...result, requestType: input.type, success: true };
    },
    subscribe(_, listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    mayAct() {},
    close() {},
  };
  const context = {
    commands: new PageCommands(client, "s"),
    logs: new ActionLogs(),
  } as unknown as ActionContext;
  return { context, sent };
}

async function clicked(targets: string, items = PAGE): Promise<Target | undefined> {
  const { context, sent } = pageWith(items);
  await withElement(context, { targets }, (target) => context.commands.run({ type: "click", target }));
  return sent.at(-1);
}

const failure = (targets: string, items = PAGE): Promise<BridgeError> =>
  clicked(targets, items).then(
    () => Promise.reject(new Error("it was clicked")),
    (thrown: unknown) => BridgeError.from(thrown),
  );

describe("the patterns of targets", () => {
  it("are tried in order, and a selector without an element gives way to the next", async () => {
    expect(await clicked('#gone | #login | button "Sign in"')).toEqual({ selector: "#login" });
    expect(await clicked('#gone | button "Sign in"')).toEqual({ ref: "e1" });
    expect(await clicked('Delete | button "Sign in"')).toEqual({ ref: "e1" });
  });

  it("prefer an exact match of a later pattern to a partial match of an earlier one", async () => {
    expect(await clicked("passkey | Sign in")).toEqual({ ref: "e1" });
    expect(await clicked("passkey | Nothing")).toEqual({ ref: "e2" });
  });

  it("that match several elements equally are ambiguous, with the candidates", async () => {
    const { code, details } = await failure("Delete");
    expect(code).toBe("ambiguous_target");
    expect(details?.candidates).toMatchObject([{ ref: "e3" }, { ref: "e4" }]);
  });

  it("that match nothing name the nearest element and never click it", async () => {
    const error = await failure("Subscribe");
    expect(error.code).toBe("target_not_found");
    expect(error.message).toContain('did you mean button "Unsubscribe" (e5)?');
    expect(error.details?.candidates).toMatchObject([{ ref: "e5" }]);
    expect((await failure("Anything", [])).message).toContain("the page has no element that can be used");
  });
});
