import * as Menu from "@radix-ui/react-dropdown-menu";
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";
import { app, say } from "../page.js";

const item = (name) => h(Menu.Item, { key: name, onSelect: () => say(`did ${name}`) }, name);
createRoot(app).render(
  h(
    Menu.Root,
    null,
    h(Menu.Trigger, null, "Options"),
    h(Menu.Portal, null, h(Menu.Content, null, ["Copy", "Move", "Delete"].map(item))),
  ),
);
