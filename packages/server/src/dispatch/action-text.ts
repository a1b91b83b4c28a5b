import { type Command, truncate } from "@debug-bridge/protocol";

const MAX_CHARACTERS = 200;

type Target = Readonly<Record<string, unknown>>;

/** What a command does, in words for the person who decides about it. What would be typed is left out. */
export function actionText(command: Command): string {
  const { target, source } = command as { target?: Target; source?: Target };
  const element = target === undefined ? "" : ` ${elementText(target)}`;
  switch (command.type) {
    case "type":
      return `type into${element}`;
    case "select":
      return `select an option of${element}`;
    case "press":
      return short(`press ${command.key}${element && ` on${element}`}`);
    case "hover":
      return `point at${element}`;
    case "scroll":
      return `scroll${element || " the page"}`;
    case "drag":
      return source === undefined ? "drag with the mouse" : `drag ${elementText(source)}`;
    case "dialog":
      return `${command.action} a dialog of the page`;
    case "set_files":
      return `choose files for${element}`;
    case "navigate":
      return short(`go to ${command.url}`);
    case "evaluate":
      return "run code in the page";
    case "call_tool":
      return short(`use the app's tool ${command.name}`);
    default:
      return `${command.type}${element}`;
  }
}

/** The same for a command of the DevTools protocol. */
export function cdpActionText(method: string, url: string | undefined): string {
  if (url !== undefined) return short(`go to ${url}`);
  if (method.startsWith("Input.")) return "click or type";
  return `run its own code (${method})`;
}

function elementText({ role, name, text, ref, id, selector, point }: Target): string {
  const named = text ?? name;
  if (named !== undefined) return short(`${role ?? ""} ${JSON.stringify(named)}`.trim());
  const other = ref ?? id ?? selector ?? role;
  return other === undefined
    ? point === undefined
      ? "the page"
      : "a point of the page"
    : short(String(other));
}

const short = (text: string): string => truncate(text, MAX_CHARACTERS);
