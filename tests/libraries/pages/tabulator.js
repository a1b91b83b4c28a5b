import { TabulatorFull } from "tabulator-tables";
import "tabulator-tables/dist/css/tabulator.min.css";
import { app, say } from "../page.js";

new TabulatorFull(app, {
  height: 300,
  data: Array.from({ length: 200 }, (_, id) => ({ id, name: `Line ${id}`, pick: "Pick" })),
  columns: [
    { title: "Name", field: "name" },
    { title: "Action", field: "pick", cellClick: (_event, cell) => say(`picked ${cell.getData().name}`) },
  ],
});
