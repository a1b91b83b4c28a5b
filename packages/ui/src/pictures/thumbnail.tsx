import type { ChatImage } from "@debug-bridge/protocol";
import { ImageOff } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useChatScope } from "../chat/chat-context.js";
import { pictureUrl } from "./picture-cache.js";

interface Props {
  readonly images: readonly ChatImage[];
  /** What they show, in a few words. */
  readonly label: string;
}

/** Small pictures that open large. Their size is fixed, so that nothing moves when they arrive. */
export function Thumbnails({ images, label }: Props): ReactNode {
  return (
    <div className="thumbnails">
      {images.map((image, i) => (
        <Thumbnail
          // One picture may be there twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity.
          key={i}
          image={image}
          label={images.length > 1 ? `${label} (${i + 1} of ${images.length})` : label}
        />
      ))}
    </div>
  );
}

function Thumbnail({ image, label }: { readonly image: ChatImage; readonly label: string }): ReactNode {
  const { client, chatId, showPicture } = useChatScope();
  const [url, setUrl] = useState<string | null>();
  useEffect(() => {
    let isOpen = true;
    pictureUrl(client, chatId, image.id).then(
      (found) => isOpen && setUrl(found),
      () => isOpen && setUrl(null),
    );
    return () => {
      isOpen = false;
    };
  }, [client, chatId, image.id]);
  if (url === null)
    return (
      <span className="thumbnail missing">
        <ImageOff aria-hidden /> picture not available
      </span>
    );
  return (
    <button
      type="button"
      className="thumbnail"
      title={label}
      aria-label={`Open picture: ${label}`}
      disabled={url === undefined}
      style={widthOf(image)}
      onClick={() => url !== undefined && showPicture({ url, label })}
    >
      {url !== undefined && <img src={url} alt="" />}
    </button>
  );
}

/** As wide as the picture at the height of a thumbnail, where its size is known. */
function widthOf({ width, height }: ChatImage): { aspectRatio?: string } {
  return width && height ? { aspectRatio: String(Math.min(3, Math.max(0.5, width / height))) } : {};
}
