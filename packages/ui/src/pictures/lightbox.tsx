import type { ReactNode } from "react";
import type { ShownPicture } from "../chat/chat-context.js";
import { Modal } from "../components/modal.js";

interface Props {
  readonly picture: ShownPicture;
  onClose(): void;
}

/** A picture in full. */
export function Lightbox({ picture: { url, label }, onClose }: Props): ReactNode {
  return (
    <Modal className="lightbox" title={label} onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable. */}
      <section className="picture" tabIndex={0} aria-label="Picture">
        <img src={url} alt={label} />
      </section>
    </Modal>
  );
}
