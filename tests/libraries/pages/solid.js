import { createSignal } from "solid-js";
import h from "solid-js/h";
import { render } from "solid-js/web";
import { app, say } from "../page.js";

function Counter() {
  const [name, setName] = createSignal("");
  let count = 0;
  return h("div", {}, [
    h("input", { "aria-label": "Name", onInput: ({ target }) => setName(target.value) }),
    h("div", {}, h("span", { onClick: () => say(`${name()} ${++count}`) }, "Count up")),
  ]);
}
render(Counter, app);
