// Text to copy: a button, a block of code, a secret.
import { useCopy } from '../hooks/use-copy.js';
import { Icon } from './icon.js';

const TEXTS = { idle: '', copied: 'Copied', failed: 'Could not copy. Select the text instead.' };

/** `label`: what is copied. */
export function CopyIcon({ text, label }: { readonly text: string; readonly label: string }) {
  const [state, copy] = useCopy();
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label={`Copy ${label}`}
        title={`Copy ${label}`}
        onClick={() => copy(text)}
      >
        <Icon name={state === 'copied' ? 'check' : 'copy'} size={17} />
      </button>
      <span role="status" className="visually-hidden">
        {TEXTS[state]}
      </span>
    </>
  );
}

export function CopyButton({
  text,
  label,
  primary = false,
}: {
  readonly text: string;
  readonly label: string;
  readonly primary?: boolean;
}) {
  const [state, copy] = useCopy();
  return (
    <button type="button" className={primary ? 'button primary' : 'button'} onClick={() => copy(text)}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} size={17} />
      {state === 'idle' ? label : TEXTS[state]}
    </button>
  );
}

export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="code">
      {/* Long lines scroll, also by keyboard. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyIcon text={text} label={label} />
    </div>
  );
}
