import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { app, say } from "../page.js";

new Editor({
  element: app,
  extensions: [StarterKit],
  content: "<p>Start</p>",
  onUpdate: ({ editor }) => say(editor.getText()),
});
