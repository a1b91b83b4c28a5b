import { useVirtualizer } from "@tanstack/react-virtual";
import { createElement as h, useRef } from "react";
import { createRoot } from "react-dom/client";
import { app, say } from "../page.js";

function List() {
  const parent = useRef(null);
  const rows = useVirtualizer({
    count: 1_000,
    getScrollElement: () => parent.current,
    estimateSize: () => 30,
  });
  const line = ({ index, start }) =>
    h(
      "div",
      {
        key: index,
        style: { position: "absolute", top: 0, height: 30, transform: `translateY(${start}px)` },
      },
      `Row ${index} `,
      h("button", { type: "button", onClick: () => say(`picked ${index}`) }, "Pick"),
    );
  return h(
    "div",
    { ref: parent, tabIndex: 0, "aria-label": "Rows", style: { height: 300, overflow: "auto" } },
    h(
      "div",
      { style: { height: rows.getTotalSize(), position: "relative" } },
      rows.getVirtualItems().map(line),
    ),
  );
}
createRoot(app).render(h(List));
