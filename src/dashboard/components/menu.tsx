// A button with a menu of actions, as a menu button of the WAI-ARIA pattern.
import { useRef, useState, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';

export interface MenuItem {
  readonly label: string;
  /** Shown after the label. */
  readonly hint?: string;
  readonly onSelect: () => void;
}

interface Props {
  readonly icon: IconName;
  readonly label: ReactNode;
  readonly kind?: 'primary' | 'plain';
  readonly items: readonly MenuItem[];
}

export function MenuButton({ icon, label, kind = 'plain', items }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape' && isOpen) close();
    else if (isOpen) moveFocus(event);
    else if (event.key === 'ArrowDown') {
      event.preventDefault();
      setOpen(true);
    }
  };
  return (
    <div className="menu" onBlur={onBlur} onKeyDown={onKeyDown}>
      <button
        ref={button}
        type="button"
        className={`button ${kind}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={icon} size={17} /> {label} <Icon name="expand" size={15} />
      </button>
      {isOpen && (
        <div ref={focusFirst} className="menu-list" role="menu">
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close();
                item.onSelect();
              }}
            >
              {item.label}
              {item.hint !== undefined && <span className="hint">{item.hint}</span>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function focusFirst(list: HTMLElement | null): void {
  list?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
}

/** Moves the focus among the links and buttons of a menu: by arrow keys, Home and End. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
    ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
    ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
    Home: () => 0,
    End: (_, last) => last,
  };
  const step = steps[event.key];
  if (!step) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem], .popover-menu :is(a, button)')];
  if (items.length === 0) return;
  event.preventDefault();
  items[step(items.indexOf(document.activeElement as HTMLElement), items.length - 1)]?.focus();
}
