import { Camera, Crosshair, ImagePlus } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { IconButton } from "../../components/icon-button.js";
import type { Attachments } from "../../state/use-attachments.js";

/** Ways to show something to the agent. Those that the page allows. */
export function AttachButtons({ attachments }: { readonly attachments: Attachments }): ReactNode {
  const files = useRef<HTMLInputElement>(null);
  const { canCapture, canPick, pickingIn } = attachments;
  return (
    <div className="attach">
      <input
        ref={files}
        hidden
        type="file"
        accept="image/*"
        multiple
        aria-label="Pictures to add"
        onChange={({ target }) => {
          void attachments.addFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <IconButton
        label="Add a picture"
        onClick={() => files.current?.click()}
        icon={<ImagePlus aria-hidden />}
      />
      {canCapture && (
        <IconButton
          label="Capture the page"
          onClick={() => void attachments.capture()}
          icon={<Camera aria-hidden />}
        />
      )}
      {canPick && (
        <IconButton
          label="Pick an element"
          pressed={pickingIn !== undefined}
          onClick={() => (pickingIn ? attachments.cancelPick() : void attachments.pick())}
          onKeyDown={(event) => pickWithKeys(event, pickingIn)}
          icon={<Crosshair aria-hidden />}
        />
      )}
    </div>
  );
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Arrow keys go through the elements of the page, Enter picks the one that is marked. */
function pickWithKeys(event: KeyboardEvent, pickingIn: Attachments["pickingIn"]): void {
  const step = STEPS[event.key];
  if (!pickingIn?.keys) return;
  if (step !== undefined) pickingIn.keys.move(step);
  else if (event.key === "Enter" && pickingIn.pointed !== undefined) pickingIn.keys.choose();
  else return;
  event.preventDefault();
}
