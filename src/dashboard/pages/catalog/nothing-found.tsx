// Shown instead of results when nothing matches: other ways to a logo. Also the note above similar names.
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { send } from '../../api/transport.js';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { Empty } from '../../components/query-states.js';
import type { SearchFilters } from '../../data/queries.js';

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
      Clear search and filters
    </button>
  );
  if (q === '' || isFiltered)
    return (
      <Empty icon="no-match" iconSize={36} title="Nothing matches">
        <p>There may be more without the filters.</p>
        {reset}
      </Empty>
    );
  return (
    <Empty icon="no-match" iconSize={36} title={`Nothing matches “${q}”`}>
      <p>
        Try fewer letters, or the domain of the brand. If it is missing, you can add a drawing of your own, or tell the
        operator of this service.
      </p>
      <MissingReport key={q} name={q}>
        <a className="button primary" href={`${OWN_BRANDS}?title=${encodeURIComponent(q)}`}>
          <Icon name="add" size={17} /> Add your own drawing
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
        <p>Nothing is called “{name}” here. Did you mean one of these?</p>
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
            Report it as missing
          </Button>
        )}
      </div>
      <p role="status" className="hint">
        {report.isSuccess
          ? 'Thank you. The operator sees the names that are missing, and how often they are asked for, not by whom.'
          : ''}
      </p>
      <ErrorNote error={report.error} />
    </>
  );
}
