/** Lets the person save a text as a file. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // The browser has the content by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
