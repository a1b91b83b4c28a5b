/** Whether a command line is the call of a hook by an agent, and not one for a person. */
export function isHookCall([, , command, first]: readonly string[]): boolean {
  return command === "hook" && (first === undefined ? !process.stdin.isTTY : first === "--timeout");
}
