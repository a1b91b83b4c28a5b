/** Lets the person save a file. */
export function saveFile(name: string, content: string | Blob, type = "text/markdown"): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // The browser has the content by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
