import { truncate } from "@debug-bridge/protocol";
import type { Masker } from "../../privacy/masker.js";
import { isElement } from "../elements/dom.js";
import { nameOf } from "../elements/names.js";

const MAX_LENGTH = 200;
const ROW = "tr,[role=row]";
const HEADER = "th,[role=columnheader]";

/** Reads the headers of tables, once each. */
export class Columns {
  private readonly known = new Map<Element, string>();

  constructor(private readonly masker: Masker) {}

  /** The headers of the table that a row is in; nothing for the row of the headers itself. */
  of(row: object): string {
    if (!isElement(row) || !row.matches(ROW)) return "";
    const table = row.closest("table,[role$=grid],[role=table]");
    const header = table?.querySelector(HEADER)?.closest(ROW);
    if (!header || header === row || header.querySelector("td,[role$=cell]")) return "";
    let names = this.known.get(header);
    if (names === undefined) {
      const cells = Array.from(header.querySelectorAll(HEADER), (cell) => nameOf(cell, this.masker));
      names = truncate(`columns ${cells.filter(Boolean).join(" | ")}`, MAX_LENGTH);
      this.known.set(header, names);
    }
    return names;
  }
}
