import { AllCommunityModule, createGrid, ModuleRegistry } from "ag-grid-community";
import { app, say } from "../page.js";

ModuleRegistry.registerModules([AllCommunityModule]);
app.style.height = "400px";
createGrid(app, {
  columnDefs: [{ field: "name" }, { field: "price" }],
  rowData: Array.from({ length: 1_000 }, (_, i) => ({ name: `Item ${i}`, price: i })),
  onCellClicked: ({ value }) => say(`clicked ${value}`),
});
