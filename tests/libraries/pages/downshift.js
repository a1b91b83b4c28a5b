import { useCombobox } from "downshift";
import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";
import { app, say } from "../page.js";

const ALL = ["Oslo", "Paris", "Porto", "Prague"];

function Cities() {
  const [items, setItems] = useState(ALL);
  const box = useCombobox({
    items,
    onInputValueChange: ({ inputValue }) =>
      setItems(ALL.filter((city) => city.toLowerCase().startsWith(inputValue.toLowerCase()))),
    onSelectedItemChange: ({ selectedItem }) => say(`chose ${selectedItem}`),
  });
  return h(
    "div",
    null,
    h("label", box.getLabelProps(), "City"),
    h("input", box.getInputProps()),
    h(
      "ul",
      box.getMenuProps(),
      box.isOpen
        ? items.map((item, index) => h("li", { key: item, ...box.getItemProps({ item, index }) }, item))
        : null,
    ),
  );
}
createRoot(app).render(h(Cities));
