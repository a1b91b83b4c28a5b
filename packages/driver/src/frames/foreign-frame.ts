import type { TelemetryPipeline } from "../capture/telemetry-pipeline.js";
import type { CdpSession } from "../cdp.js";
import type { EngineLink } from "../engine/engine-link.js";
import type { LiveDocument } from "../navigation/documents.js";

/** A CDP session of the page: its own, or that of a frame in another process. */
export interface FrameHost {
  readonly cdp: CdpSession;
  readonly engine: EngineLink;
  readonly pipeline: TelemetryPipeline;
  /** The session of the page around it, and the frame that this session is about; none for the page's own. */
  readonly around: { readonly host: FrameHost; readonly frameId: string } | undefined;
  /** The frame of each world that the engine has here. */
  readonly frameIds: Map<number, string>;
}

/** A frame that the engine of the page around it cannot enter, with the engine in it. */
export interface ForeignFrame {
  readonly id: string;
  /** What its refs begin with: `f2`. */
  readonly name: string;
  readonly host: FrameHost;
  readonly document: LiveDocument;
  /** Where it is, once that is known. */
  readonly owner: Promise<FrameOwner | undefined>;
}

/** The `<iframe>` that shows a frame. */
export interface FrameOwner {
  readonly objectId: string;
  readonly host: FrameHost;
  /** The frame whose engine has the element; none for the page itself. */
  readonly frame: ForeignFrame | undefined;
}
