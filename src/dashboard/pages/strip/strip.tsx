// The builder of a strip: logos in an order, the parameters of `/v1/strip` as controls, the live picture, and its code.
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../api/session.js';
import { Card } from '../../components/card.js';
import { Chips } from '../../components/chips.js';
import { CodeTabs } from '../../components/code-tabs.js';
import { CopyIcon } from '../../components/copy.js';
import { ErrorNote } from '../../components/note.js';
import { PublishableKeyChoice, usePublishableKey } from '../../components/publishable-key-choice.js';
import { Empty } from '../../components/query-states.js';
import { queryText } from '../../data/call.js';
import { entry } from '../../data/queries.js';
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
const FORMATS = ['svg', 'png'] as const;
const GROUNDS = ['light', 'dark'] as const;
const HINTS = {
  img: 'An SVG follows the color scheme of the visitor’s system by itself.',
  Markdown: 'Where there are two, GitHub shows the one for the theme of its reader. Other sites show both.',
};

export default function StripPage() {
  usePageTitle('Strip of logos');
  const isLocked = useSession() === 'signed-out' && settings.gallery === 'off';
  return isLocked ? <LockedCatalog /> : <StripBuilder />;
}

function StripBuilder() {
  const [query, setQuery] = useAddressQuery(INITIAL);
  const { icons = '', ...chosen } = query;
  const slugs = [...new Set(icons.split(',').filter((slug) => slug !== ''))];
  const titles = useTitles(slugs);
  const format = FORMATS.find((each) => each === chosen.format) ?? 'svg';
  const asked = { icons: slugs.join(), ...(format === 'png' && { format }), ...queryOf('strip', chosen) };
  const formats = (
    <Chips
      label="Format"
      values={FORMATS}
      text={(each) => each.toUpperCase()}
      isPressed={(each) => each === format}
      onPress={(pressed) => setQuery({ ...query, format: pressed })}
    />
  );
  return (
    <div className="page stack">
      <header className="stack-small">
        <h1>Strip of logos</h1>
        <p className="lead">
          Many logos in one picture, each as large as it looks: for READMEs and “trusted by” rows. Previews cost no
          quota; a strip counts one for each logo.
        </p>
      </header>
      <Card title="Strip builder" action={formats}>
        <div className="builder">
          <div className="builder-controls">
            <StripLogos slugs={slugs} titles={titles} onSlugs={(next) => setQuery({ ...query, icons: next.join() })} />
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
              <Empty icon="brands" title="No logos yet">
                <p>Add some by their names. Their order, and all else, is in the address of this page.</p>
              </Empty>
            ) : (
              <Result asked={asked} alt={slugs.map((slug) => titles.get(slug) ?? slug).join(', ')} />
            )}
          </div>
        </div>
      </Card>
    </div>
  );
}

/** Returns the known titles, by slug. */
function useTitles(slugs: readonly string[]): ReadonlyMap<string, string> {
  const entries = useQueries({ queries: slugs.map(entry) });
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
        // The picture is the same in both formats.
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
