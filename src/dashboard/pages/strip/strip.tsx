// The builder of a strip, which is one picture with several logos. Shows the logos in order, a control for each
// parameter of `/v1/strip`, the live picture, and its code.
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Segments } from '../../components/segments.js';
import { CodeTabs } from '../../components/code-tabs.js';
import { CopyIcon } from '../../components/copy.js';
import { ErrorNote } from '../../components/note.js';
import { PublishableKeyChoice, usePublishableKey } from '../../components/publishable-key-choice.js';
import { Empty } from '../../components/query-states.js';
import { queryText } from '../../data/call.js';
import { entry } from '../../data/queries.js';
import { askedHost } from '../../host-of.js';
import { useAddressQuery } from '../../hooks/use-address-query.js';
import { usePageTitle } from '../../hooks/use-page-title.js';
import { usePicture } from '../../hooks/use-picture.js';
import { imageHtml, NO_KEY, pictureHtml, pictureMarkdown, readable } from '../../picture-code.js';
import { settings } from '../../settings.js';
import { LockedCatalog } from '../catalog/locked-catalog.js';
import { ParameterControl } from '../catalog/parameter-control.js';
import { controlsOf, queryOf, type Chosen } from '../catalog/parameters.js';
import { StripLogos } from './strip-logos.js';

const INITIAL = {};
const EXAMPLE = 'github,docker,stripe,figma';
const FORMATS = ['svg', 'png'] as const;
const FORMAT_OPTIONS = FORMATS.map((format) => [format, format.toUpperCase()] as const);
const GROUNDS = ['light', 'dark'] as const;
const HINTS = {
  img: 'The SVG adapts to the color scheme of the visitor.',
  Markdown: 'GitHub shows only the picture for the reader’s theme. Other sites show both pictures.',
};

export default function StripPage() {
  usePageTitle('Logo strip');
  const isLocked = useSession() === 'signed-out' && settings.gallery === 'off';
  return isLocked ? <LockedCatalog /> : <StripBuilder />;
}

function StripBuilder() {
  const [query, setQuery] = useAddressQuery(INITIAL);
  const { icons = '', ...chosen } = query;
  const slugs = [...new Set(icons.split(',').filter((slug) => slug !== ''))];
  const titles = useTitles(slugs);
  const addMonogram = (host: string): void =>
    setQuery({ ...query, icons: [...new Set([...slugs, host])].join(), fallback: 'monogram' });
  const format = FORMATS.find((each) => each === chosen.format) ?? 'svg';
  const asked = { icons: slugs.join(), ...(format === 'png' && { format }), ...queryOf('strip', chosen) };
  const formats = (
    <Segments
      label="Format"
      options={FORMAT_OPTIONS}
      value={format}
      onValue={(chosenFormat) => setQuery({ ...query, format: chosenFormat })}
    />
  );
  return (
    <div className="page stack">
      <header className="stack-small">
        <h1>Logo strip</h1>
        <p className="lead">
          Show many logos in one picture, for example in a README. Logos get the same visual weight. Each logo counts as
          one request.
        </p>
      </header>
      <Card title="Settings" action={formats}>
        <div className="builder">
          <div className="builder-controls">
            <StripLogos
              slugs={slugs}
              titles={titles}
              onSlugs={(next) => setQuery({ ...query, icons: next.join() })}
              onUnknownHost={addMonogram}
            />
            {controlsOf('strip', chosen).map((control) => (
              <ParameterControl
                key={control.name}
                control={control}
                value={chosen[control.name] ?? ''}
                onValue={(value) => setQuery({ ...query, [control.name]: value })}
                variants={[]}
                revision=""
              />
            ))}
          </div>
          <div className="builder-result">
            {slugs.length === 0 ? (
              <NoLogos onExample={() => setQuery({ ...query, icons: EXAMPLE })} />
            ) : (
              <Result asked={asked} alt={slugs.map((slug) => titles.get(slug) ?? slug).join(', ')} />
            )}
          </div>
        </div>
      </Card>
    </div>
  );
}

function NoLogos({ onExample }: { readonly onExample: () => void }) {
  return (
    <Empty icon="brands" title="No logos yet">
      <p>Add logos by name or domain. The URL of this page stores the order and all settings.</p>
      <Button kind="primary" onClick={onExample}>
        Show an example
      </Button>
    </Empty>
  );
}

function useTitles(slugs: readonly string[]): ReadonlyMap<string, string> {
  const entries = useQueries({
    queries: slugs.map((slug) => ({ ...entry(slug), enabled: askedHost(slug) === undefined, retry: false })),
  });
  return new Map(slugs.flatMap((slug, at) => (entries[at]?.data ? [[slug, entries[at].data.title]] : [])));
}

function Result({ asked, alt }: { readonly asked: Chosen; readonly alt: string }) {
  const { key, choose } = usePublishableKey();
  const [size, setSize] = useState<{ readonly width: string; readonly height: string }>();
  const { theme = asked.format === 'png' ? 'light' : 'auto' } = asked;
  const grounds = GROUNDS.filter((ground) => theme === 'auto' || theme === ground);
  const address = (given: Chosen = {}) =>
    readable(`${settings.origin}/v1/strip${queryText({ ...asked, ...given, key: key ?? NO_KEY })}`);
  const pair =
    asked.theme === undefined || theme === 'auto'
      ? { light: address({ theme: 'light' }), dark: address({ theme: 'dark' }) }
      : { light: address(), dark: undefined };
  return (
    <>
      {grounds.map((ground) => (
        // Always shows the SVG, which is the default of `format`, because the PNG shows the same picture.
        <StripPicture
          key={ground}
          path={`/dashboard/strip${queryText({ ...asked, format: undefined, theme: ground })}`}
          ground={ground}
          alt={alt}
          onSize={setSize}
        />
      ))}
      <div className="secret">
        <code data-testid="built-url">{address()}</code>
        <CopyIcon text={address()} label="URL" />
      </div>
      <PublishableKeyChoice chosen={key} onChosen={choose} />
      <CodeTabs
        codes={{
          img: imageHtml({ light: address(), alt, ...size }),
          picture: pictureHtml({ ...pair, alt, ...size }),
          Markdown: pictureMarkdown({ ...pair, alt }),
        }}
        hints={HINTS}
      />
    </>
  );
}

interface PictureProps {
  readonly path: string;
  readonly ground: (typeof GROUNDS)[number];
  readonly alt: string;
  /** Called with the size of the picture in px. */
  readonly onSize: (size: { readonly width: string; readonly height: string }) => void;
}

function StripPicture({ path, ground, alt, onSize }: PictureProps) {
  const { address, error, isFetching, retry } = usePicture(path);
  return (
    <>
      <div className={`strip-ground background-${ground}`} aria-busy={isFetching}>
        {address !== undefined && (
          <img
            src={address}
            alt={`${alt}, on a ${ground} page`}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              onSize({ width: String(naturalWidth), height: String(naturalHeight) })
            }
          />
        )}
      </div>
      <ErrorNote error={error} onRetry={retry} />
    </>
  );
}
