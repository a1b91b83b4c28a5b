import { select } from "d3";
import { app, say } from "../page.js";

select(app)
  .append("svg")
  .attr("width", 300)
  .attr("height", 100)
  .selectAll("circle")
  .data(["#ff0000", "#0000ff"])
  .join("circle")
  .attr("cx", (_colour, i) => 50 + i * 100)
  .attr("cy", 50)
  .attr("r", 20)
  .attr("fill", (colour) => colour)
  .on("click", (_event, colour) => say(`circle ${colour}`));
