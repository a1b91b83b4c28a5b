import { basicSetup, EditorView } from "codemirror";
import { app, say } from "../page.js";

new EditorView({
  doc: "hello",
  parent: app,
  extensions: [
    basicSetup,
    EditorView.updateListener.of((update) => {
      if (update.docChanged) say(update.state.doc.toString());
    }),
  ],
});
