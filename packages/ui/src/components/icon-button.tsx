import type { KeyboardEvent, ReactNode } from "react";

interface Props {
  readonly label: string;
  readonly icon: ReactNode;
  readonly disabled?: boolean;
  /** For a button that stays pressed. */
  readonly pressed?: boolean;
  onClick(): void;
  onKeyDown?(event: KeyboardEvent): void;
}

export function IconButton({ label, icon, disabled, pressed, onClick, onKeyDown }: Props): ReactNode {
  return (
    <button
      type="button"
      className="icon"
      aria-label={label}
      title={label}
      disabled={disabled}
      aria-pressed={pressed}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {icon}
    </button>
  );
}
