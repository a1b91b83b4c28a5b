/** The types of this file are public, and import nothing: installing the package brings no further one. */

/** A session of the hub that is a page. */
export interface PageSession {
  readonly id: string;
  readonly kind: string;
}

/** A picture in base64. */
interface PagePicture {
  readonly mimeType: "image/png" | "image/jpeg" | "image/webp";
  readonly data: string;
}

/** What the person pointed at in a page, and how it looks. */
export interface Picked {
  readonly element: {
    readonly sessionId: string;
    readonly ref: string;
    readonly name: string;
    readonly role: string;
    /** Where it comes from, such as `src/App.tsx:12:3`. */
    readonly source?: string | undefined;
    readonly html?: string | undefined;
  };
  readonly picture?: PagePicture;
}

/** How the person goes through a page with the keyboard while they pick. */
export interface PickKeys {
  /** Marks the next element, or the one before. */
  move(step: 1 | -1): void;
  /** Picks the element that is marked. */
  choose(): void;
}

/** What happens while the person picks. */
export interface PickListener {
  /** The page takes the click from now on. */
  onReady(keys: PickKeys): void;
  /** An element is marked: its role and its name. */
  onPointed(role: string, name: string): void;
}

/** What the person can show to the agent from the page that it works in. */
export interface PageTools {
  canCapture(session: PageSession): boolean;
  /** A picture of what the page shows now. */
  capture(session: PageSession): Promise<PagePicture>;
  canPick(session: PageSession): boolean;
  /** Lets the person click an element in the page; nothing when they cancel there, or `signal` aborts. */
  pick(session: PageSession, signal: AbortSignal, listener: PickListener): Promise<Picked | undefined>;
}
