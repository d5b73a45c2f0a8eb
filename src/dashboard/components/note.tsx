// Notes: errors, warnings and successes.
import { useMemo, type ReactNode } from 'react';
import { ApiError, errorText } from '../api/error.js';
import { useNow } from '../hooks/use-now.js';
import { Icon } from './icon.js';

const ICONS = { bad: 'error', warn: 'warning', good: 'success', plain: 'info' } as const;

interface Props {
  readonly kind?: keyof typeof ICONS;
  readonly children: ReactNode;
}

export function Note({ kind = 'plain', children }: Props) {
  return (
    <div className={`note ${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
      <Icon name={ICONS[kind]} size={18} />
      <div className="note-body">{children}</div>
    </div>
  );
}

/** Renders nothing if there is no error. For a throttled request, states when it may be repeated. */
export function ErrorNote({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  if (error === null || error === undefined) return null;
  return (
    <Note kind="bad">
      <p>{errorText(error)}</p>
      {error instanceof ApiError && error.status === 429 && <RetryIn error={error} />}
      {error instanceof ApiError && <HelpLink error={error} />}
      {onRetry && (
        <button type="button" className="link-button" onClick={onRetry}>
          Try again
        </button>
      )}
    </Note>
  );
}

/** Opens a new tab, so that the text typed on this page isn't lost. */
function HelpLink({ error }: { readonly error: ApiError }) {
  const help = error.details.find((detail) => detail.help !== undefined)?.help;
  if (help === undefined) return null;
  return (
    <a href={help} target="_blank" rel="noopener">
      Why this is rejected, and what is accepted
    </a>
  );
}

function RetryIn({ error }: { readonly error: ApiError }) {
  const endMs = useMemo(() => Date.now() + (error.retryAfterSeconds ?? 0) * 1000, [error]);
  const seconds = Math.ceil((endMs - useNow(500)) / 1000);
  if (seconds <= 0) return <p>You can try again now.</p>;
  const minutes = Math.floor(seconds / 60);
  return (
    <p className="tabular">
      You can try again in {minutes > 0 && `${minutes} min `}
      {seconds % 60} s.
    </p>
  );
}
