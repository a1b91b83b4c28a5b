/** Small helpers for the popup's elements. */

export function element<Kind extends HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

/** Shows a text, or hides its element when the text is empty. */
export function showText(id: string, text: string | undefined): void {
  const target = element(id);
  target.hidden = text === undefined;
  if (target.textContent !== (text ?? "")) target.textContent = text ?? "";
}

export function label(text: string, title: string, className = ""): HTMLElement {
  const span = document.createElement("span");
  span.textContent = text;
  span.title = title;
  span.className = className;
  return span;
}

export function button(text: string, name: string, onClick: () => void): HTMLButtonElement {
  const created = document.createElement("button");
  created.type = "button";
  created.textContent = text;
  created.setAttribute("aria-label", name);
  created.addEventListener("click", onClick);
  return created;
}

/** Builds a list again only when its items have changed, so that the focus stays where it is. */
export function fillList<Item>(
  id: string,
  items: readonly Item[],
  cells: (item: Item) => HTMLElement[],
): void {
  const list = element(id);
  const key = JSON.stringify(items);
  if (list.dataset.items === key) return;
  list.dataset.items = key;
  list.replaceChildren(
    ...items.map((item) => {
      const row = document.createElement("li");
      row.append(...cells(item));
      // What is chosen here is not stored yet. The next state from the worker shows what is.
      row.addEventListener("change", () => delete list.dataset.items);
      return row;
    }),
  );
}

/** Sets the value of an input, unless the person is typing in it. */
export function setUnlessFocused(id: string, value: string): void {
  const input = element<HTMLInputElement>(id);
  if (document.activeElement !== input) input.value = value;
}

/** Reports a problem below a form and marks its input. */
export function showProblem(id: string, input: HTMLInputElement, problem: string | undefined): void {
  showText(id, problem);
  input.setAttribute("aria-invalid", String(problem !== undefined));
}
