/** The value of a field as an instruction has it: objects and lists as JSON. */
export function fieldText(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
