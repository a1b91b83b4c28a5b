import Konva from "konva";
import { app, say } from "../page.js";

const stage = new Konva.Stage({ container: app, width: 300, height: 200 });
const layer = new Konva.Layer();
const box = new Konva.Rect({ x: 100, y: 50, width: 60, height: 40, fill: "green" });
box.on("click", () => say("green box"));
layer.add(box);
stage.add(layer);
