import { createElement as h } from "react";
import { createRoot } from "react-dom/client";
import { List } from "react-window";
import { app, say } from "../page.js";

const Row = ({ index, style }) =>
  h("div", { style, onClick: () => say(`clicked line ${index}`) }, `Line ${index}`);
createRoot(app).render(
  h(List, { rowComponent: Row, rowCount: 500, rowHeight: 25, rowProps: {}, style: { height: 200 } }),
);
