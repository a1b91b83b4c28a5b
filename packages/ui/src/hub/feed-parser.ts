import { SseParser } from "@debug-bridge/protocol";

/** Reads the JSON of each event of a stream of server-sent events. */
export class FeedParser<Event> {
  private readonly parser = new SseParser();

  /** The events that `text` completes. One that is not JSON is left out, so that it does not end the view. */
  push(text: string): Event[] {
    return this.parser.push(text).flatMap((data) => {
      try {
        return [JSON.parse(data) as Event];
      } catch {
        return [];
      }
    });
  }
}
