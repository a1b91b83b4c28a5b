import type { Token, Tokens } from "marked";
import type { ReactNode } from "react";
import { safeUrl } from "./safe-url.js";

/** Inline Markdown as React elements. Whatever is not in this list is shown as its source text. */
export function Inline({ tokens }: { readonly tokens: readonly Token[] | undefined }): ReactNode {
  // Tokens have no identity; a changed text makes new ones.
  // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity.
  return (tokens ?? []).map((token, i) => <InlineToken key={i} token={token} />);
}

function InlineToken({ token }: { readonly token: Token }): ReactNode {
  switch (token.type) {
    case "text":
    case "escape":
      return "tokens" in token && token.tokens ? (
        <Inline tokens={token.tokens} />
      ) : (
        decoded(token.text as string)
      );
    case "strong":
      return (
        <strong>
          <Inline tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inline tokens={token.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inline tokens={token.tokens} />
        </del>
      );
    case "codespan":
      return <code>{decoded(token.text as string)}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link {...(token as Tokens.Link)} />;
    case "image":
      return <Picture {...(token as Tokens.Image)} />;
    default:
      return token.raw;
  }
}

function Link({ href, raw, tokens }: Tokens.Link): ReactNode {
  const url = safeUrl(href);
  if (url === undefined) return raw;
  return (
    <a href={url} title={url} target="_blank" rel="noopener noreferrer nofollow">
      <Inline tokens={tokens} />
    </a>
  );
}

/** A picture is never loaded: the request alone would reveal something to its server. */
function Picture({ href, text, raw }: Tokens.Image): ReactNode {
  const url = safeUrl(href);
  if (url === undefined) return raw;
  return (
    <a href={url} title={url} target="_blank" rel="noopener noreferrer nofollow">
      picture: {text || url}
    </a>
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" },
};

/** React escapes text itself, so the few entities that the lexer may leave are undone. */
function decoded(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
