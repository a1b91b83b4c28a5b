/**
 * Splits a stream of server-sent events into the data of each. Text that is not complete yet is kept for the next
 * call.
 */
export class FeedParser {
  private rest = "";

  /** The data of the events that `text` completes. */
  push(text: string): string[] {
    const blocks = (this.rest + text).split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      const line = block.split("\n").find((each) => each.startsWith("data: "));
      return line === undefined ? [] : [line.slice("data: ".length)];
    });
  }
}
