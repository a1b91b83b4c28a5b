/** A small app of React in which edits are observed. */
export const APP = {
  "index.html": `<!doctype html><title>Shop</title><div id="root"></div><script type="module" src="/src/main.tsx"></script>`,
  "src/main.tsx": `import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "./style.css";
createRoot(document.getElementById("root")!).render(<App />);
`,
  "src/app.tsx": `import { useState } from "react";
import { Total } from "./total.tsx";

export function App() {
  const [name, setName] = useState("");
  return (
    <main>
      <h1>Your cart</h1>
      <label>Name <input id="name" value={name} onChange={(event) => setName(event.target.value)} /></label>
      <Total prices={[1, 2]} />
      <button>Pay</button>
    </main>
  );
}
`,
  "src/total.tsx": `export function Total({ prices }: { prices: number[] }) {
  return <p>Total: {prices.length}</p>;
}
`,
  "src/style.css": "h1 { color: black; }\n",
  "src/notes.txt": "nobody imports this\n",
};
