import type { ReactNode } from "react";
import { chooseEditor, useChosenEditor } from "../editor/chosen-editor.js";
import { EDITORS, type EditorId } from "../editor/editors.js";

/** Which editor opens the code of errors and edits. */
export function EditorChoice(): ReactNode {
  const editor = useChosenEditor();
  return (
    <section aria-labelledby="editor">
      <h3 id="editor">Editor</h3>
      <p>
        <label>
          Open code in{" "}
          <select
            value={editor}
            onChange={({ target: { value } }) => chooseEditor(value as EditorId | "none")}
          >
            {Object.entries(EDITORS).map(([id, { name }]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            <option value="none">no editor</option>
          </select>
        </label>
      </p>
      <p className="quiet">
        For apps whose development server has the plugin and runs on this machine. The choice is stored in
        this browser.
      </p>
    </section>
  );
}
