/**
 * The text as it is rendered. `textContent` would be faster, and would also hold what is hidden and join what stands
 * on separate lines.
 */
export function innerTextOf(element: Element | null): string {
  // biome-ignore lint/performance/useDomNodeTextContent: what a person reads is what is wanted here
  return (element as HTMLElement | null)?.innerText ?? element?.textContent ?? "";
}
