import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../components/icon-button.js";
import { urlOf } from "../../pictures/read-picture.js";
import { type ChangeDraft, type Draft, withoutElement } from "../../state/use-drafts.js";
import type { ShownPicture } from "../chat-context.js";
import { ElementChip } from "../conversation/message-view.js";

interface Props {
  readonly draft: Draft;
  readonly change: ChangeDraft;
  showPicture(picture: ShownPicture): void;
}

/** What goes with the message: each can be looked at and removed. */
export function DraftAttachments({ draft, change, showPicture }: Props): ReactNode {
  const { pictures, element } = draft;
  if (pictures.length === 0 && !element) return null;
  const removePicture = (removed: string): void =>
    change((before) =>
      before.element?.picture === removed
        ? withoutElement(before)
        : { ...before, pictures: before.pictures.filter(({ key }) => key !== removed) },
    );
  return (
    <ul className="attachments" aria-label="Attached">
      {element && (
        <li>
          <ElementChip element={element}>
            <IconButton
              label="Remove the element"
              onClick={() => change(withoutElement)}
              icon={<X aria-hidden />}
            />
          </ElementChip>
        </li>
      )}
      {pictures.map((picture, i) => (
        <li key={picture.key} className="attached-picture">
          <button
            type="button"
            className="thumbnail"
            aria-label={`Open picture ${i + 1}`}
            onClick={() => showPicture({ url: urlOf(picture), label: `Picture ${i + 1} of the message` })}
          >
            <img src={urlOf(picture)} alt="" />
          </button>
          <IconButton
            label={`Remove picture ${i + 1}`}
            onClick={() => removePicture(picture.key)}
            icon={<X aria-hidden />}
          />
        </li>
      ))}
    </ul>
  );
}
