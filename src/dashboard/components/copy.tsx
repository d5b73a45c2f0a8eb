// Text to copy: a button, and a block of code.
import { useEffect, useState, type ReactNode } from 'react';
import { Icon } from './icon.js';

const SHOWN_MS = 2000;
const TEXTS = { idle: '', copied: 'Copied', failed: 'Copying failed. Select the text.' };

interface Props {
  readonly text: string;
  /** Name of the text, such as `curl sample`. */
  readonly label: string;
}

/** Copies the text, and shows the result for a moment. */
export function useCopy(text: string) {
  const [state, setState] = useState<keyof typeof TEXTS>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    // Browsers only provide the clipboard to secure pages.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    void (clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return { copy, result: TEXTS[state], icon: <Icon name={state === 'copied' ? 'check' : 'copy'} size={17} /> };
}

export function CopyIcon({ text, label }: Props) {
  const { copy, result, icon } = useCopy(text);
  const name = `Copy ${label}`;
  return (
    <>
      <button type="button" className="icon-button" aria-label={name} title={name} onClick={copy}>
        {icon}
      </button>
      <span role="status" className="visually-hidden">
        {result}
      </span>
    </>
  );
}

export function CopyButton({ text, label, disabled }: Props & { readonly disabled?: boolean }) {
  const { copy, result, icon } = useCopy(text);
  return (
    <button type="button" className="button primary" disabled={disabled} onClick={copy}>
      {icon}
      {result === '' ? label : result}
    </button>
  );
}

/**
 * A block of code with a button that copies `text`. `children`: the code with colors, shown in place of `text`.
 * `label`: name of the text.
 */
export function Code({ text, label, children = text }: Props & { readonly children?: ReactNode }) {
  return (
    <div className="code">
      {/* Long text scrolls, also by keyboard. */}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>{children}</code>
      </pre>
      <CopyIcon text={text} label={label} />
    </div>
  );
}
