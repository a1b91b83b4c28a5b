/** Whether an agent called a hook, rather than a person a command. */
export function isHookCall([, , command, first]: readonly string[]): boolean {
  return command === "hook" && (first === undefined ? !process.stdin.isTTY : first === "--timeout");
}
