import Quill from "quill";
import "quill/dist/quill.snow.css";
import { app, say } from "../page.js";

const quill = new Quill(app, { theme: "snow" });
quill.on("text-change", () => say(quill.getText().trim()));
