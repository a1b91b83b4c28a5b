/** Reads a stream of server-sent events line by line and keeps what does not parse. */
export class SseReader {
  readonly records: Record<string, unknown>[] = [];
  /** Lines that are no line of this format, and data that is not JSON. */
  readonly faults: string[] = [];

  private constructor(private readonly reader: ReadableStreamDefaultReader<Uint8Array>) {}

  static async open(response: Response): Promise<SseReader> {
    if (!response.ok || !response.body) throw new Error(`the stream answers ${response.status}`);
    const stream = new SseReader(response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>);
    void stream.run();
    return stream;
  }

  close(): void {
    void this.reader.cancel().catch(() => {});
  }

  private async run(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { value, done } = await this.reader.read().catch(() => ({ value: undefined, done: true }));
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\r|\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) this.readLine(line);
    }
  }

  private readLine(line: string): void {
    if (line === "" || line.startsWith(":") || /^id: \d+$/.test(line)) return;
    try {
      if (!line.startsWith("data: ")) throw new Error("no field of ours");
      this.records.push(JSON.parse(line.slice("data: ".length)) as Record<string, unknown>);
    } catch {
      this.faults.push(line.slice(0, 300));
    }
  }
}
