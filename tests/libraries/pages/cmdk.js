import { Command } from "cmdk";
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";
import { app, say } from "../page.js";

const item = (name) => h(Command.Item, { key: name, onSelect: () => say(`ran ${name}`) }, name);
createRoot(app).render(
  h(
    Command,
    { label: "Commands" },
    h(Command.Input, null),
    h(Command.List, null, ["Open file", "Close file", "Print"].map(item)),
  ),
);
