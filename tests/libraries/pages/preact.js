import { h, render } from "preact";
import { useState } from "preact/hooks";
import { app, say } from "../page.js";

function Counter() {
  const [count, setCount] = useState(0);
  const [name, setName] = useState("");
  if (count > 0) say(`${name} ${count}`);
  return h(
    "div",
    null,
    h("input", { "aria-label": "Name", value: name, onInput: ({ target }) => setName(target.value) }),
    h("div", null, h("span", { onClick: () => setCount(count + 1) }, "Count up")),
  );
}
render(h(Counter), app);
