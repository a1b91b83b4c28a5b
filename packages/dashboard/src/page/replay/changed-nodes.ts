import { fieldsOf, listOf, numberOf } from "../../details/fields.js";

/** The ids of the nodes that events add, remove or change. The events may say anything. */
export function changedNodes(events: readonly unknown[]): number[] {
  const ids = new Set<number>();
  const add = (given: unknown): void => {
    const id = numberOf(fieldsOf(given).id);
    if (id !== undefined) ids.add(id);
  };
  for (const event of events) {
    const data = fieldsOf(fieldsOf(event).data);
    // A field that was filled in names itself.
    if (data.text !== undefined) add(data);
    for (const list of [data.removes, data.texts, data.attributes])
      for (const each of listOf(list)) add(each);
    for (const each of listOf(data.adds)) add(fieldsOf(each).node);
  }
  return [...ids];
}
