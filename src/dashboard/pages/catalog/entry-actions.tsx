// Menus that download the shown picture, or copy it as SVG, HTML, React code or URL.
import { useMutation } from '@tanstack/react-query';
import { ShownError } from '../../api/error.js';
import { send } from '../../api/transport.js';
import { MenuButton, type MenuItem } from '../../components/menu.js';
import { ErrorNote } from '../../components/note.js';
import { previewUrl } from '../../components/preview.js';
import { announce } from '../../components/toasts.js';
import type { Entry } from '../../data/queries.js';
import { saveFile } from '../../save-file.js';
import type { Format } from './parameters.js';
import { addressOf, imageCode, reactCode } from './snippets.js';

type Query = Readonly<Record<string, string | undefined>>;

interface Props {
  readonly entry: Entry;
  readonly format: Format;
  /** Parameters of the picture's URL. */
  readonly query: Query;
  /** Parameters of the shown picture, which may be smaller than the picture at the URL. */
  readonly shown: Query;
  readonly publishableKey: string | undefined;
}

export function EntryActions({ entry, format, query, shown, publishableKey }: Props) {
  const { slug, title } = entry;
  const fileName = query.variant === undefined ? slug : `${slug}-${query.variant}`;
  const action = useMutation({ mutationFn: (run: () => Promise<void>) => run() });
  const download = (label: string, kind: Format, hint: string): MenuItem => ({
    label,
    hint,
    onSelect: () =>
      action.mutate(async () => saveFile(`${fileName}.${kind}`, await (await fetched(slug, kind, shown)).blob())),
  });
  const pixels = sideText(shown);
  const downloads: readonly MenuItem[] = [
    download('SVG', 'svg', 'any size'),
    download('PNG', 'png', pixels),
    download('WebP', 'webp', pixels),
    {
      label: 'All variants',
      hint: 'SVG, ZIP',
      onSelect: () =>
        action.mutate(async () =>
          saveFile(`${slug}.zip`, await (await import('./variants-zip.js')).variantsZip(entry)),
        ),
    },
  ];
  const picture = { slug, title, format, query, publishableKey };
  const copy = (label: string, text: () => Promise<string> | string): MenuItem => ({
    label,
    onSelect: () => action.mutate(() => copyText(label, text)),
  });
  const copies: readonly MenuItem[] = [
    copy('SVG', async () => (await fetched(slug, 'svg', shown)).text()),
    copy('<img>', () => imageCode(picture)),
    copy('React', () => reactCode({ ...picture, domain: undefined })),
    copy('URL', () => addressOf(picture, publishableKey)),
  ];
  return (
    <div className="entry-actions">
      <MenuButton icon="download" label="Download" kind="primary" items={downloads} />
      <MenuButton icon="copy" label="Copy" items={copies} />
      <ErrorNote error={action.error} />
    </div>
  );
}

/**
 * Fetches the picture in the format `kind`, without parameters that this format doesn't have. An SVG has no size,
 * because it scales.
 */
async function fetched(slug: string, kind: Format, query: Query): Promise<Response> {
  const { size, width, height, scale, quality, ...rest } = query;
  const others = { ...rest, download: undefined };
  const sized = { size, width, height, scale, ...(kind === 'webp' && { quality }) };
  return send(previewUrl(kind, slug, kind === 'svg' ? others : { ...others, ...sized }));
}

function sideText({ size, width, height }: Query): string {
  if (width !== undefined && height !== undefined) return `${width} × ${height} px`;
  return `${size ?? width ?? height ?? '256'} px`;
}

async function copyText(label: string, text: () => Promise<string> | string): Promise<void> {
  // Browsers only provide the clipboard to secure pages.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) throw new ShownError('This page cannot use the clipboard. Select the code below and copy it.');
  // Safari only allows this write during the click, and the text may arrive later. The write therefore starts at once,
  // with a promise of the text.
  const content = Promise.resolve(text()).then((written) => new Blob([written], { type: 'text/plain' }));
  await clipboard.write([new ClipboardItem({ 'text/plain': content })]);
  announce(`${label} copied`);
}
