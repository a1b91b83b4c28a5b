/** The badge that shows the person at the page that an agent is attached. */
export interface Mark {
  show(agents: number): void;
  remove(): void;
}

const STYLE = `
:host { all: initial; position: fixed; inset: auto 12px 12px auto; z-index: 2147483647; pointer-events: none; }
div { display: flex; gap: 8px; align-items: center; padding: 6px 10px; border-radius: 999px; background: #14213d;
  color: #fff; font: 12px/1.4 system-ui, sans-serif; box-shadow: 0 1px 6px #0006; opacity: .9; }
i { width: 8px; height: 8px; border-radius: 50%; background: #3ddc84; }
button { all: unset; cursor: pointer; pointer-events: auto; text-decoration: underline; }
button:focus-visible { outline: 2px solid #fff; }`;

/**
 * Draws the mark in a closed shadow root, so that the app's styles and scripts do not affect it. `own` receives the
 * element, which is left out of everything that is reported.
 */
export function createMark(document: Document, own: (host: Element) => void, onStop: () => void): Mark {
  let host: HTMLElement | undefined;
  let label: Text | undefined;
  const draw = (): void => {
    host = document.createElement("debug-bridge-mark");
    own(host);
    const root = host.attachShadow({ mode: "closed" });
    const style = document.createElement("style");
    style.textContent = STYLE;
    const box = document.createElement("div");
    box.setAttribute("role", "status");
    const stop = document.createElement("button");
    stop.textContent = "Stop";
    stop.title = "Disconnect this page from the debug bridge";
    stop.addEventListener("click", onStop);
    label = document.createTextNode("");
    box.append(document.createElement("i"), label, stop);
    root.append(style, box);
    document.documentElement.append(host);
  };
  const remove = (): void => {
    host?.remove();
    host = undefined;
  };
  return {
    remove,
    show(agents) {
      if (agents <= 0) {
        remove();
        return;
      }
      if (!host?.isConnected) draw();
      if (label) label.data = agents === 1 ? "Agent connected" : `${agents} agents connected`;
    },
  };
}
