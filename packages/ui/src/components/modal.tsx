import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./icon-button.js";

interface Props {
  readonly title: string;
  readonly className: string;
  readonly children: ReactNode;
  onClose(): void;
}

/** A dialog above everything. Escape, the button and a click beside it close it. */
export function Modal({ title, className, children, onClose }: Props): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={heading}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
      // Escape is for the dialog: elsewhere it stops the agent.
      onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}
    >
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: otherwise it counts as a second banner of the page */}
      <header role="presentation">
        <h2 id={heading}>
          <bdi>{title}</bdi>
        </h2>
        <IconButton label="Close" onClick={() => dialog.current?.close()} icon={<X aria-hidden />} />
      </header>
      {children}
    </dialog>
  );
}
