// A button that shows that its work is under way.
import type { ButtonHTMLAttributes, ReactNode } from 'react';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'danger' | 'danger solid' | undefined;
  readonly size?: 'small' | 'large' | undefined;
  readonly busy?: boolean | undefined;
  readonly children: ReactNode;
}

/** While busy it keeps the focus and takes no clicks. */
export function Button({ kind, size, busy = false, children, className, onClick, ...rest }: Props) {
  const classes = ['button', kind, size, className].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      {...rest}
      className={classes}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  );
}
