import * as L from "leaflet";
import "leaflet/dist/leaflet.css";
import { app, say } from "../page.js";

app.style.height = "400px";
const map = L.map(app).setView([59.9, 10.7], 10);
const icon = L.divIcon({ html: "", iconSize: [20, 20] });
L.marker([59.9, 10.7], { title: "Harbour", icon }).addTo(map).bindPopup("Open until nine");
map.on("zoomend", () => say(`zoom ${map.getZoom()}`));
