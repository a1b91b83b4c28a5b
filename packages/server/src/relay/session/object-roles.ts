import type { Params } from "../wire/messages.js";

/** What an object of a client's world is: a part of the client itself, an element, or another result of its reads. */
type Role = "utility" | "injected" | "selectors" | "node" | "result";

interface Remote {
  readonly type?: string;
  readonly subtype?: string;
  readonly objectId?: string;
}
interface Argument {
  readonly objectId?: unknown;
  readonly value?: unknown;
}

const MAX_ROLES = 20_000;
/** A function of Playwright whose first parameter, or the first in its list, is the injected script. */
const TAKES_INJECTED = /^\(?(?:async )?(?:function \w+)?\(\[?injected/;
/** A function of Puppeteer that takes its selectors: `(element, selector, { cssQuerySelector }) =>`. */
const TAKES_SELECTORS = /^(?:async )?\(([^()]*)\) =>/;

/**
 * Where the objects come from that a client hands to the code of Playwright and Puppeteer. Such code calls methods of its
 * arguments. With an object of the client's making, or a function like `eval`, that would run what the client likes. So
 * functions have no role, and each parameter whose methods are called takes the one object that it is meant for.
 */
export class ObjectRoles {
  private readonly roles = new Map<string, Role>();

  clear(): void {
    this.roles.clear();
  }

  /** Whether recognised code may run with these objects. */
  allows(method: string, params: Params): boolean {
    if (method !== "Runtime.callFunctionOn") return true;
    const given = (params.arguments ?? []) as readonly Argument[];
    if (params.objectId !== undefined && params.objectId !== given[0]?.objectId) return false;
    if (given.some(({ objectId }) => objectId !== undefined && !this.roles.has(String(objectId))))
      return false;
    const text = String(params.functionDeclaration);
    return text.startsWith("(utilityScript")
      ? this.allowsPlaywright(given)
      : this.allowsPuppeteer(text, given);
  }

  private allowsPlaywright(given: readonly Argument[]): boolean {
    const count = Number(given[4]?.value);
    const handles = given.slice(5 + count).map((each) => this.roleOf(each));
    const parts = handles.flatMap((role, index) => (role === "node" || role === "result" ? [] : [index]));
    if (
      this.roleOf(given[0]) !== "utility" ||
      handles.some((role) => role === "utility" || role === "selectors")
    )
      return false;
    if (!TAKES_INJECTED.test(String(given[3]?.value))) return parts.length === 0;
    const first = given[5]?.value as { h?: unknown; a?: readonly { h?: unknown }[] } | undefined;
    const index = first?.h ?? first?.a?.[0]?.h;
    return parts.length === 1 && parts[0] === index;
  }

  private allowsPuppeteer(text: string, given: readonly Argument[]): boolean {
    const names = TAKES_SELECTORS.exec(text)?.[1]?.split(/, (?![^{]*\})/) ?? [];
    return given.every((each, index) => {
      const wantsSelectors = /^\{|^PuppeteerUtil$/.test(names[index] ?? "");
      const role = this.roleOf(each);
      return wantsSelectors
        ? role === "selectors"
        : role === undefined || role === "node" || role === "result";
    });
  }

  private roleOf(argument: Argument | undefined): Role | undefined {
    return argument?.objectId === undefined ? undefined : this.roles.get(String(argument.objectId));
  }

  /** Records the objects in the result of a command; `isRecognised` is whether it ran code of Playwright or Puppeteer. */
  record(method: string, params: Params, result: Params, isRecognised: boolean): void {
    if (method === "DOM.resolveNode") this.set(result.object as Remote, "node");
    if (method === "Runtime.getProperties")
      for (const { value } of (result.result ?? []) as readonly { value?: Remote }[])
        if (value?.subtype === "node") this.set(value, "node");
    if (!isRecognised || result.exceptionDetails !== undefined) return;
    const remote = result.result as Remote | undefined;
    if (remote?.type === "function") return;
    this.set(
      remote,
      method === "Runtime.evaluate" ? scriptRole(params) : remote?.subtype === "node" ? "node" : "result",
    );
  }

  private set(remote: Remote | undefined, role: Role): void {
    if (remote?.objectId === undefined) return;
    // What is forgotten has no role: its reads run with the check for side effects.
    if (this.roles.size >= MAX_ROLES) this.roles.clear();
    this.roles.set(remote.objectId, role);
  }
}

function scriptRole({ expression }: Params): Role {
  const end = String(expression).slice(-2_000);
  if (end.includes(".UtilityScript())(")) return "utility";
  return end.includes(".InjectedScript())(") ? "injected" : "selectors";
}
