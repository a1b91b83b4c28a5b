import { memo, useRef } from "react";
import { BlockView } from "./block-view.js";
import { BlockReader } from "./blocks.js";

/** Markdown of an agent. It becomes React elements and never HTML; it makes no request. */
export const Markdown = memo(({ text }: { readonly text: string }) => {
  const reader = useRef<BlockReader>(undefined);
  reader.current ??= new BlockReader();
  return (
    <div className="markdown" dir="auto">
      {reader.current.read(text).map(({ token, at }) => (
        <BlockView key={at} token={token} />
      ))}
    </div>
  );
});
