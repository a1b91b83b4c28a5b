/** A text of a terminal without its colours and other control sequences. */
export function withoutColors(text: string): string {
  return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g, "");
}
