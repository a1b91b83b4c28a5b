import { IconButton } from "@debug-bridge/ui/components/icon-button.js";
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { Fragment, type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { resizePanes, usePaneSizes } from "./pane-sizes.js";
import { useWide } from "./use-wide.js";

export interface Pane {
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
}

interface Props {
  readonly panes: readonly Pane[];
  /** The pane that is shown where there is room for one. */
  readonly active: string;
  onActive(id: string): void;
}

const KEY_STEP = 0.02;

/** Panes beside each other that resize and collapse; on a narrow page, tabs. */
export function Panes(props: Props): ReactNode {
  return useWide() ? <WidePanes {...props} /> : <TabbedPanes {...props} />;
}

function WidePanes({ panes }: Props): ReactNode {
  const [{ shares, collapsed }, change] = usePaneSizes(panes.map(({ id }) => id));
  const row = useRef<HTMLDivElement>(null);
  const isOpen = (pane: Pane | undefined): boolean => pane !== undefined && !collapsed.includes(pane.id);
  const toggle = (id: string): void =>
    change({
      shares,
      collapsed: collapsed.includes(id) ? collapsed.filter((each) => each !== id) : [...collapsed, id],
    });
  const resize = (left: string, right: string, by: number): void =>
    change({ shares: resizePanes(shares, left, right, by), collapsed });
  return (
    <div className="panes" ref={row}>
      {panes.map((pane, index) => {
        const before = panes.slice(0, index).findLast(isOpen);
        const canClose = isOpen(pane) && panes.filter(isOpen).length > 1;
        return (
          <Fragment key={pane.id}>
            {before && isOpen(pane) && (
              <Separator
                share={shares[before.id] ?? 0}
                label={`Width of ${before.title}`}
                onMove={(pixels) => resize(before.id, pane.id, pixels / (row.current?.clientWidth ?? 1))}
                onKey={(by) => resize(before.id, pane.id, by)}
              />
            )}
            <section
              className={isOpen(pane) ? "pane" : "pane collapsed"}
              aria-label={pane.title}
              // Together more than 1, so that the open ones fill the width.
              style={isOpen(pane) ? { flexGrow: 100 * (shares[pane.id] ?? 1) } : undefined}
            >
              <header className="pane-header">
                <h2>{pane.title}</h2>
                {(canClose || !isOpen(pane)) && (
                  <IconButton
                    label={isOpen(pane) ? `Collapse ${pane.title}` : `Expand ${pane.title}`}
                    onClick={() => toggle(pane.id)}
                    icon={isOpen(pane) ? <PanelLeftClose aria-hidden /> : <PanelLeftOpen aria-hidden />}
                  />
                )}
              </header>
              {isOpen(pane) && pane.content}
            </section>
          </Fragment>
        );
      })}
    </div>
  );
}

interface SeparatorProps {
  readonly share: number;
  readonly label: string;
  onMove(pixels: number): void;
  onKey(by: number): void;
}

function Separator({ share, label, onMove, onKey }: SeparatorProps): ReactNode {
  const dragged = useRef<number>(undefined);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onKey(step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line of text cannot be moved
    <div
      className="separator"
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={10}
      aria-valuemax={90}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        dragged.current = event.clientX;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (dragged.current === undefined) return;
        onMove(event.clientX - dragged.current);
        dragged.current = event.clientX;
      }}
      onPointerUp={() => {
        dragged.current = undefined;
      }}
    />
  );
}

function TabbedPanes({ panes, active, onActive }: Props): ReactNode {
  const base = useId();
  const shown = panes.find(({ id }) => id === active) ?? panes[0];
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || !shown) return;
    const next = panes[(panes.indexOf(shown) + step + panes.length) % panes.length] as Pane;
    onActive(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
  };
  return (
    <div className="tabbed">
      <div role="tablist" aria-label="Parts of the session">
        {panes.map(({ id, title }) => (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === shown?.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === shown?.id ? 0 : -1}
            onClick={() => onActive(id)}
            onKeyDown={onKeyDown}
          >
            {title}
          </button>
        ))}
      </div>
      <section
        id={`${base}-panel`}
        className="pane"
        role="tabpanel"
        aria-labelledby={shown && `${base}-${shown.id}`}
      >
        <h2 className="hidden-text">{shown?.title}</h2>
        {shown?.content}
      </section>
    </div>
  );
}
