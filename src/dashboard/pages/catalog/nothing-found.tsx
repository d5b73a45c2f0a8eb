// Shown when nothing matches. Offers to add the logo as an own brand, or to report the name as missing. Also contains
// the note above results that only have similar names.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/error.js';
import { send } from '../../api/transport.js';
import { Button } from '../../components/button.js';
import { CopyIcon } from '../../components/copy.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { Empty } from '../../components/query-states.js';
import { queryText } from '../../data/call.js';
import { isDrawing } from '../../data/drawing-files.js';
import type { SearchFilters } from '../../data/queries.js';
import { askedHost, nameOfHost } from '../../host-of.js';
import { useObjectUrl } from '../../hooks/use-object-url.js';
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
          <Icon name="add" size={17} /> Add as your own brand
        </a>
        {reset}
      </MissingReport>
    </Empty>
  );
}

const SIDE_PX = 72;

interface HostPicture {
  readonly picture: Blob;
  /** True for the website's own icon. The service fetches it for signed-in users if `SITE_ICONS=on`. */
  readonly isSiteIcon: boolean;
  /** False for a bitmap. */
  readonly isDrawing: boolean;
}

/** Returns null for text that cannot be a host. */
async function pictureOfHost(host: string, on: 'light' | 'dark', signal: AbortSignal): Promise<HostPicture | null> {
  const query = queryText({ format: 'svg', size: SIDE_PX, on, fallback: 'site,monogram' });
  try {
    const answer = await send(`/dashboard/logo/${encodeURIComponent(host)}${query}`, { signal });
    const picture = await answer.blob();
    const isSiteIcon = answer.headers.get('X-Blazon-Fallback') === 'site';
    return { picture, isSiteIcon, isDrawing: await isDrawing(picture) };
  } catch (error) {
    if (error instanceof ApiError && error.status < 429) return null;
    throw error;
  }
}

/** Shown for a domain that no brand has. Shows the website's icon or a monogram, and offers to add an own brand. */
function UnknownHost({ host, reset }: { readonly host: string; readonly reset: ReactNode }) {
  const on = useTheme();
  const { data: found } = useQuery({
    queryKey: ['picture of an unknown host', host, on],
    queryFn: ({ signal }) => pictureOfHost(host, on, signal),
  });
  const shown = useObjectUrl(found?.picture);
  const isSiteIcon = found?.isSiteIcon === true;
  const isTakenOver = isSiteIcon && found.isDrawing;
  const url = `${settings.origin}/v1/logo/${host}?format=svg&fallback=${isSiteIcon ? 'site,monogram' : 'monogram'}`;
  return (
    <Empty icon="hosts" iconSize={36} title={`No brand has the domain ${host}`}>
      {found && (
        <>
          <img src={shown} width={SIDE_PX} height={SIDE_PX} alt={`${isSiteIcon ? 'Icon' : 'Monogram'} of ${host}`} />
          <p>
            {isSiteIcon
              ? 'This is the icon of the website. You can show it instead of a logo:'
              : 'You can show this monogram instead of a logo:'}
          </p>
          <div className="secret">
            <code>{url}</code>
            <CopyIcon text={url} label={isSiteIcon ? 'URL of the icon' : 'URL of the monogram'} />
          </div>
        </>
      )}
      <MissingReport name={host}>
        <a
          className="button primary"
          href={OWN_BRANDS + queryText({ title: nameOfHost(host), domain: host, icon: isTakenOver ? 'site' : '' })}
        >
          <Icon name="add" size={17} /> Add as your own brand
        </a>
        {reset}
      </MissingReport>
    </Empty>
  );
}

/** `name` is the typed text. The names of the results are only similar to it. */
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
  /** Buttons beside the button that reports the name. */
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
