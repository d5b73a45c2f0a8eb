// The icons of a site, made from an entry: previews in tabs and on home screens, the HTML for the head, and all files.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../../api/transport.js';
import { Button } from '../../components/button.js';
import { Code } from '../../components/copy.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { queryText } from '../../data/call.js';
import type { Entry } from '../../data/queries.js';
import { useDebounced } from '../../hooks/use-debounced.js';
import { saveFile } from '../../save-file.js';
import { ParameterControl } from './parameter-control.js';
import { controlsOf, queryOf, type Chosen } from './parameters.js';

const GROUNDS = ['light', 'dark'] as const;
const DEBOUNCE_MS = 250;
const TAB_PX = 16;
const HOME_PX = 60;
/** Icon file, mask shape and operating system of each home screen. */
const HOME_ICONS = [
  ['apple-touch-icon.png', 'square', 'iOS'],
  ['icon-mask.png', 'circle', 'Android'],
] as const;

export function FaviconCard({ entry }: { readonly entry: Entry }) {
  const { slug, variants, revision } = entry;
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<Chosen>({});
  const search = useDebounced(queryText(queryOf('favicon', chosen)), DEBOUNCE_MS);
  const address = (file: string) => `/dashboard/favicon/${encodeURIComponent(slug)}/${file}`;
  const lines = useQuery({
    queryKey: ['favicon-lines'],
    queryFn: async ({ signal }) => (await send(address('head.html'), { signal })).text(),
    staleTime: Infinity,
    enabled: isOpen,
  });
  const saving = useMutation({
    mutationFn: async () => saveFile(`${slug}-favicon.zip`, await (await send(address('favicon.zip') + search)).blob()),
  });
  return (
    <details className="card collapsed" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="card-head">
        <h2>Favicons</h2>
        <span className="hint">All icon files for a website</span>
      </summary>
      {isOpen && (
        <div className="card-body stack">
          <div className="button-row">
            <Button busy={saving.isPending} onClick={() => saving.mutate()}>
              <Icon name="download" size={16} /> Download favicon.zip
            </Button>
          </div>
          <ErrorNote error={saving.error} />
          <div className="favicon-controls">
            {controlsOf('favicon').map((control) => (
              <ParameterControl
                key={control.name}
                of="favicon"
                control={control}
                value={chosen[control.name] ?? ''}
                onValue={(value) => setChosen({ ...chosen, [control.name]: value })}
                variants={variants}
                revision={revision}
              />
            ))}
          </div>
          <Previews title={entry.title} address={(file) => address(file) + search} />
          <p className="hint">
            Browser tabs show <code>icon.svg</code>, which matches the visitor’s color scheme. Older browsers show{' '}
            <code>favicon.ico</code>. API: <code>GET /v1/favicon/{slug}/favicon.zip</code>
          </p>
          <ErrorNote error={lines.error} onRetry={() => void lines.refetch()} />
          {lines.data !== undefined && <Code text={lines.data.trimEnd()} label="lines for the head of each page" />}
        </div>
      )}
    </details>
  );
}

interface PreviewsProps {
  readonly title: string;
  readonly address: (file: string) => string;
}

/**
 * Shows the icons on a light and a dark screen. An icon without `on`, `color` and `background` adapts to the browser's
 * theme. `on` is then added to the URL, so that the icon adapts to the shown screen.
 */
function Previews({ title, address }: PreviewsProps) {
  return GROUNDS.map((ground) => {
    const svg = address('icon.svg');
    const isFixed = /[?&](?:on|color|background)=/.test(svg);
    const shown = isFixed ? svg : `${svg}${svg.includes('?') ? '&' : '?'}on=${ground}`;
    return (
      <div
        key={ground}
        className="favicon-previews"
        data-ground={ground}
        role="group"
        aria-label={`On ${ground} screens`}
      >
        <div className="browser">
          <div className="browser-tabs">
            <span className="browser-tab" data-current>
              <IconImage src={shown} size={TAB_PX} alt={`icon.svg in a ${ground} tab`} />
              <span>{title}</span>
            </span>
            <span className="browser-tab">
              <IconImage src={address('favicon.ico')} size={TAB_PX} alt={`favicon.ico in a ${ground} tab`} />
              <span>{title}</span>
            </span>
          </div>
        </div>
        <ul className="home-screen">
          {HOME_ICONS.map(([file, shape, system]) => (
            <li key={file}>
              <span className={`home-icon ${shape}`}>
                <IconImage src={address(file)} size={HOME_PX} alt={`${file} on a ${ground} home screen of ${system}`} />
              </span>
              <span>{title}</span>
            </li>
          ))}
        </ul>
      </div>
    );
  });
}

function IconImage({ src, size, alt }: { readonly src: string; readonly size: number; readonly alt: string }) {
  return <img key={src} src={src} width={size} height={size} alt={alt} loading="lazy" decoding="async" />;
}
