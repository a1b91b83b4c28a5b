import { ofMarks } from "../../source/frameworks/marked.js";
import type { ReadComponent } from "./parts.js";

/** Svelte and Solid keep props and state in variables of functions: only the name of the component is known. */
export function componentsWithoutValues(element: Element): readonly ReadComponent[] | undefined {
  const [name = ""] = ofMarks(element).split("\n", 1);
  return name === "" ? undefined : [{ name, parts: [] }];
}
