import * as Dialog from "@radix-ui/react-dialog";
import { createElement as h, useState } from "react";
import { createRoot } from "react-dom/client";
import { app, say } from "../page.js";

function Rename() {
  const [name, setName] = useState("");
  return h(
    Dialog.Root,
    null,
    h(Dialog.Trigger, null, "Rename"),
    h(
      Dialog.Portal,
      null,
      h(
        Dialog.Content,
        { "aria-describedby": undefined },
        h(Dialog.Title, null, "Rename file"),
        h("input", {
          "aria-label": "New name",
          value: name,
          onChange: ({ target }) => setName(target.value),
        }),
        h(Dialog.Close, { onClick: () => say(`named ${name}`) }, "Save"),
      ),
    ),
  );
}
createRoot(app).render(h(Rename));
