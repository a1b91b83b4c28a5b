import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { ShownPicture } from "../chat/chat-context.js";
import { IconButton } from "../chat/icon-button.js";

interface Props {
  readonly picture: ShownPicture;
  onClose(): void;
}

/** A picture in full, above everything. Escape, the button and a click beside it close it. */
export function Lightbox({ picture: { url, label }, onClose }: Props): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="lightbox"
      aria-label={label}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
      // Escape is for the dialog: elsewhere it stops the agent.
      onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
    >
      <header>
        <h2>
          <bdi>{label}</bdi>
        </h2>
        <IconButton label="Close" onClick={() => dialog.current?.close()} icon={<X aria-hidden />} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <section className="picture" tabIndex={0} aria-label="Picture">
        <img src={url} alt={label} />
      </section>
    </dialog>
  );
}
