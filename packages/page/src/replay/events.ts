/**
 * What a page looked like over time, in the format of rrweb (https://github.com/rrweb-io/rrweb), so that its players show
 * it, too. Numbers are rrweb's own.
 */
export const EVENT = { fullSnapshot: 2, incremental: 3, meta: 4 } as const;
export const SOURCE = { mutation: 0, scroll: 3, resize: 4, input: 5, adoptedSheets: 15 } as const;
export const NODE = { document: 0, doctype: 1, element: 2, text: 3 } as const;

export type Attributes = Record<string, string | number | true>;

/** A node without its children: they are added one by one. */
export type ReplayNode =
  | {
      readonly type: 1;
      readonly id: number;
      readonly name: string;
      readonly publicId: "";
      readonly systemId: "";
    }
  | {
      readonly type: 2;
      readonly id: number;
      readonly tagName: string;
      readonly attributes: Attributes;
      readonly childNodes: readonly [];
      readonly isSVG?: true;
      readonly isShadowHost?: true;
      isShadow?: true;
    }
  | { readonly type: 3; readonly id: number; readonly textContent: string; isShadow?: true };

/** One moment's changes. A player removes first, then adds in order. */
export interface Mutation {
  readonly source: 0;
  readonly texts: { readonly id: number; readonly value: string }[];
  readonly attributes: {
    readonly id: number;
    readonly attributes: Record<string, string | number | true | null>;
  }[];
  readonly removes: { readonly parentId: number; readonly id: number; readonly isShadow?: true }[];
  readonly adds: { readonly parentId: number; readonly nextId: number | null; readonly node: ReplayNode }[];
}

export const emptyMutation = (): Mutation => ({
  source: SOURCE.mutation,
  texts: [],
  attributes: [],
  removes: [],
  adds: [],
});

export const hasChanges = ({ texts, attributes, removes, adds }: Mutation): boolean =>
  texts.length + attributes.length + removes.length + adds.length > 0;
