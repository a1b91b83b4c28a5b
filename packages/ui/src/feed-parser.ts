/**
 * Splits a stream of server-sent events, and reads the JSON of each. Text that is not complete yet is kept for the next
 * call.
 */
export class FeedParser<Event> {
  private rest = "";

  /** The events that `text` completes. One that is not JSON is left out, so that it does not end the view. */
  push(text: string): Event[] {
    const blocks = (this.rest + text).split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      const line = block.split("\n").find((each) => each.startsWith("data: "));
      try {
        return line === undefined ? [] : [JSON.parse(line.slice("data: ".length)) as Event];
      } catch {
        return [];
      }
    });
  }
}
