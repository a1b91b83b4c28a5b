import { Listbox, ListboxButton, ListboxOption, ListboxOptions } from "@headlessui/react";
import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";
import { app, say } from "../page.js";

function People() {
  const [person, setPerson] = useState("Ann");
  const choose = (next) => {
    setPerson(next);
    say(`chose ${next}`);
  };
  return h(
    Listbox,
    { value: person, onChange: choose },
    h(ListboxButton, { "aria-label": "Person" }, person),
    h(
      ListboxOptions,
      null,
      ["Ann", "Bob", "Cid"].map((value) => h(ListboxOption, { key: value, value }, value)),
    ),
  );
}
createRoot(app).render(h(People));
