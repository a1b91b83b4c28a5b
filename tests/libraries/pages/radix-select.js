import * as Select from "@radix-ui/react-select";
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";
import { app, say } from "../page.js";

const item = (value) => h(Select.Item, { key: value, value }, h(Select.ItemText, null, value));
createRoot(app).render(
  h(
    Select.Root,
    { onValueChange: (value) => say(`chose ${value}`) },
    h(Select.Trigger, { "aria-label": "Size" }, h(Select.Value, { placeholder: "None" })),
    h(
      Select.Portal,
      null,
      h(Select.Content, null, h(Select.Viewport, null, ["Small", "Medium", "Large"].map(item))),
    ),
  ),
);
