import { DndContext, PointerSensor, useDraggable, useDroppable, useSensor, useSensors } from "@dnd-kit/core";
import { createElement as h } from "react";
import { createRoot } from "react-dom/client";
import { app, say } from "../page.js";

function Card() {
  const { attributes, listeners, setNodeRef, transform } = useDraggable({ id: "card" });
  const style = {
    width: 80,
    ...(transform ? { transform: `translate(${transform.x}px, ${transform.y}px)` } : {}),
  };
  return h("div", { ref: setNodeRef, style, ...attributes, ...listeners }, "Card");
}
function Box() {
  const { setNodeRef } = useDroppable({ id: "box" });
  return h("div", { ref: setNodeRef, style: { margin: 60, height: 120, border: "1px solid" }, title: "Box" });
}
function Board() {
  const sensors = useSensors(useSensor(PointerSensor));
  const onDragEnd = ({ over }) => say(`dropped on ${over?.id}`);
  return h(DndContext, { sensors, onDragEnd }, h(Card), h(Box));
}
createRoot(app).render(h(Board));
