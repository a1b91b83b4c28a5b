import { createElement as h } from "react";
import { createRoot } from "react-dom/client";
import Select from "react-select";
import { app, say } from "../page.js";

const options = ["Apple", "Banana", "Cherry"].map((label) => ({ label, value: label }));
createRoot(app).render(
  h(Select, { options, "aria-label": "Fruit", onChange: ({ value }) => say(`chose ${value}`) }),
);
