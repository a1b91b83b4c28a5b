import type { Token, Tokens } from "marked";
import { memo, type ReactNode } from "react";
import { CodeBlock } from "./code-block.js";
import { Inline } from "./inline.js";

/** One block of Markdown as React elements. It renders again only when its source text changes. */
export const BlockView = memo(
  ({ token }: { readonly token: Token }) => <BlockContent token={token} />,
  (before, after) => before.token.raw === after.token.raw && before.token.type === after.token.type,
);

function BlockContent({ token }: { readonly token: Token }): ReactNode {
  switch (token.type) {
    case "paragraph":
      return (
        <p>
          <Inline tokens={token.tokens} />
        </p>
      );
    case "text":
      return token.tokens ? <Inline tokens={token.tokens} /> : (token.text as string);
    case "heading":
      // One level for all: agents start with any, and a level that is skipped misleads screen readers.
      return (
        <h2 data-depth={(token as Tokens.Heading).depth}>
          <Inline tokens={token.tokens} />
        </h2>
      );
    case "code":
      return <CodeBlock code={(token as Tokens.Code).text} language={(token as Tokens.Code).lang ?? ""} />;
    case "blockquote":
      return (
        <blockquote>
          <Blocks tokens={token.tokens} />
        </blockquote>
      );
    case "list":
      return <List list={token as Tokens.List} />;
    case "table":
      return <Table table={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "space":
      return null;
    default:
      // HTML above all: it is text here.
      return <p className="source">{token.raw}</p>;
  }
}

function Blocks({ tokens }: { readonly tokens: readonly Token[] | undefined }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity.
  return (tokens ?? []).map((token, i) => <BlockView key={i} token={token} />);
}

function List({ list }: { readonly list: Tokens.List }): ReactNode {
  const items = list.items.map((item, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity.
    <li key={i} className={item.task ? "task" : undefined}>
      {item.task && <span aria-hidden="true">{item.checked ? "☑" : "☐"}</span>}
      {item.task && <span className="hidden-text">{item.checked ? "done: " : "open: "}</span>}
      <Blocks tokens={item.tokens.filter(({ type }) => type !== "checkbox")} />
    </li>
  ));
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={typeof list.start === "number" ? list.start : 1}>{items}</ol>;
}

function Table({ table }: { readonly table: Tokens.Table }): ReactNode {
  return (
    // A wide table scrolls on its own; the keyboard reaches it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable.
    <section className="wide" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity.
              <th key={i}>
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity.
            <tr key={i}>
              {row.map((cell, j) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the order is the identity.
                <td key={j}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
