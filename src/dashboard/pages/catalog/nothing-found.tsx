// Shown instead of results when nothing matches: other ways to a logo. Also the note above similar names.
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { send } from '../../api/transport.js';
import { Button } from '../../components/button.js';
import { CopyIcon } from '../../components/copy.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { Empty } from '../../components/query-states.js';
import { queryText } from '../../data/call.js';
import type { SearchFilters } from '../../data/queries.js';
import { askedHost, nameOfHost } from '../../host-of.js';
import { settings } from '../../settings.js';
import { useTheme } from '../../theme.js';

/** Path of the page that adds own brands. */
const OWN_BRANDS = '/brands';

interface Props {
  readonly filters: SearchFilters;
  readonly onReset: () => void;
}

export function NothingFound({ filters: { q = '', ...others }, onReset }: Props) {
  const isFiltered = Object.values(others).some((value) => value !== '');
  const reset = (
    <button type="button" className="button" onClick={onReset}>
      Clear search
    </button>
  );
  if (q === '' || isFiltered)
    return (
      <Empty icon="no-match" iconSize={36} title="No results">
        <p>Remove filters to see more logos.</p>
        {reset}
      </Empty>
    );
  const host = askedHost(q);
  if (host !== undefined) return <UnknownHost key={host} host={host} reset={reset} />;
  return (
    <Empty icon="no-match" iconSize={36} title={`No results for “${q}”`}>
      <p>Check the spelling, or search for the domain of the brand. You can also add the logo yourself.</p>
      <MissingReport key={q} name={q}>
        <a className="button primary" href={`${OWN_BRANDS}?title=${encodeURIComponent(q)}`}>
          <Icon name="add" size={17} /> Add as own brand
        </a>
        {reset}
      </MissingReport>
    </Empty>
  );
}

const MONOGRAM_PX = 72;

/** A domain that no brand has: its monogram, and ways to a logo. */
function UnknownHost({ host, reset }: { readonly host: string; readonly reset: ReactNode }) {
  const on = useTheme();
  const query = { format: 'svg', fallback: 'monogram' };
  const shown = `/dashboard/logo/${encodeURIComponent(host)}${queryText({ ...query, size: MONOGRAM_PX, on })}`;
  const url = `${settings.origin}/v1/logo/${host}${queryText(query)}`;
  const [isInvalid, setInvalid] = useState(false);
  return (
    <Empty icon="hosts" iconSize={36} title={`No brand has the domain ${host}`}>
      {!isInvalid && (
        <>
          <img
            src={shown}
            width={MONOGRAM_PX}
            height={MONOGRAM_PX}
            alt={`Monogram of ${host}`}
            onError={() => setInvalid(true)}
          />
          <p>You can show this monogram instead of a logo:</p>
          <div className="secret">
            <code>{url}</code>
            <CopyIcon text={url} label="URL of the monogram" />
          </div>
        </>
      )}
      <MissingReport name={host}>
        <a className="button primary" href={`${OWN_BRANDS}${queryText({ title: nameOfHost(host), domain: host })}`}>
          <Icon name="add" size={17} /> Add as own brand
        </a>
        {reset}
      </MissingReport>
    </Empty>
  );
}

/** `name` is the typed text, which is only similar to the results. */
export function GuessNote({ name }: { readonly name: string }) {
  return (
    <div className="note guess-note">
      <Icon name="info" size={18} />
      <div className="note-body">
        <p>No brand is called “{name}”. These names are similar.</p>
        <MissingReport key={name} name={name} />
      </div>
    </div>
  );
}

interface MissingReportProps {
  readonly name: string;
  /** Buttons beside its own button. */
  readonly children?: ReactNode;
}

function MissingReport({ name, children }: MissingReportProps) {
  const report = useMutation({
    mutationFn: () => send('/dashboard/missing', { method: 'POST', body: { name } }),
  });
  return (
    <>
      <div className="button-row">
        {children}
        {!report.isSuccess && (
          <Button
            {...(children === undefined && { size: 'small' })}
            busy={report.isPending}
            onClick={() => report.mutate()}
          >
            Report as missing
          </Button>
        )}
      </div>
      <p role="status" className="hint">
        {report.isSuccess ? 'Thank you. The operator sees which names are missing, but not who reported them.' : ''}
      </p>
      <ErrorNote error={report.error} />
    </>
  );
}
