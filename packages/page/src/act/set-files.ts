import { BridgeError, type CommandOf, type CommandOutcome, type Target } from "@debug-bridge/protocol";
import type { PageView } from "../view/view.js";
import { within } from "./input/drag.js";
import { fire, firePointer, viewOf } from "./input/events.js";
import { pointAt } from "./pointing.js";
import { resolveTarget } from "./resolve.js";

const FILE_INPUT = "input[type=file]";

/** Chooses files for a file input, which is often hidden behind a label, or drops them on an element. */
export function setFiles(
  view: PageView,
  { target, files, drop }: CommandOf<"set_files">,
): () => CommandOutcome {
  const named = resolveTarget(view, target);
  const page = viewOf(named);
  const data = new page.DataTransfer();
  for (const file of files) {
    // The driver has replaced paths by contents.
    if ("path" in file)
      throw new BridgeError(
        "not_supported",
        "a page cannot read files by path; send name and data in base64. Nothing was done",
        { field: "files" },
      );
    data.items.add(new page.File([bytesOf(file.data)], file.name, { type: file.mimeType ?? "" }));
  }
  const refusal = drop ? dropOn(view, target, data) : choose(named, data.files);
  if (refusal) throw new BridgeError("not_actionable", `${refusal}. Nothing was done`);
  const value = [...data.files].map(({ name, size }) => ({ name, bytes: size }));
  return () => ({ value });
}

/** Returns why it cannot be done. */
function choose(named: Element, files: FileList): string | undefined {
  const input = ((named as HTMLLabelElement).control ?? named) as HTMLInputElement;
  if (!input.matches(FILE_INPUT)) return "this is not a file input; use drop: true to drop the files on it";
  if (input.matches(":disabled")) return "the file input is disabled";
  if (files.length > 1 && !input.multiple) return "the file input takes one file";
  input.files = files;
  fire(input, "input");
  fire(input, "change");
  return undefined;
}

function dropOn(view: PageView, target: Target, data: DataTransfer): string | undefined {
  const { element, point } = pointAt(view, target);
  const at = within(element, point);
  firePointer(at, "dragenter", { point, data });
  if (firePointer(at, "dragover", { point, data })) return "the page does not accept a drop there";
  firePointer(at, "drop", { point, data });
  return undefined;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    throw new BridgeError("invalid_message", "the data of a file is not base64", { field: "files" });
  }
}
