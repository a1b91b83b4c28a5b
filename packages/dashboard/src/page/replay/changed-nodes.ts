import { fieldsOf, listOf, numberOf } from "../../details/fields.js";

/** Nobody sees these. React takes the name of a field away and puts it back with every update. */
const UNSEEN = new Set(["name", "for", "tabindex"]);

/**
 * The ids of the nodes that events add, remove or change, after those before them. The events may say anything.
 */
export function changedNodes(events: readonly unknown[], before: readonly unknown[] = []): number[] {
  const ids = new Set<number>();
  // A field is reported again when it is left, with what it already holds.
  const held = new Map<unknown, string>();
  for (const event of before) {
    const data = fieldsOf(fieldsOf(event).data);
    if (data.text !== undefined) held.set(data.id, JSON.stringify([data.text, data.isChecked]));
  }
  const add = (given: unknown): void => {
    const id = numberOf(fieldsOf(given).id);
    if (id !== undefined) ids.add(id);
  };
  for (const event of events) {
    const data = fieldsOf(fieldsOf(event).data);
    // A field that was filled in names itself.
    if (data.text !== undefined && held.get(data.id) !== JSON.stringify([data.text, data.isChecked]))
      add(data);
    for (const list of [data.removes, data.texts]) for (const each of listOf(list)) add(each);
    for (const each of listOf(data.attributes))
      if (Object.keys(fieldsOf(fieldsOf(each).attributes)).some((name) => !UNSEEN.has(name))) add(each);
    for (const each of listOf(data.adds)) add(fieldsOf(each).node);
  }
  return [...ids];
}
