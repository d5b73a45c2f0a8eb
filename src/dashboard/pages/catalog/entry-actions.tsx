// The most used actions of an entry: copying the drawing, and saving files.
import { useMutation, useQuery } from '@tanstack/react-query';
import { send } from '../../api/transport.js';
import { Button } from '../../components/button.js';
import { CopyButton } from '../../components/copy.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { previewUrl } from '../../components/preview.js';
import { drawing, type Entry } from '../../data/queries.js';
import { saveFile } from '../../save-file.js';

/** Sides in px. Visitors can't see larger previews. */
const PNG_SIDES = [128, 256, 512] as const;

interface Download {
  readonly name: string;
  readonly file: string;
  readonly content: () => Promise<Blob>;
}

export function EntryActions({ entry }: { readonly entry: Entry }) {
  const { data: svg, error, refetch } = useQuery(drawing(entry.slug));
  const saving = useMutation({
    mutationFn: async ({ file, content }: Download) => saveFile(file, await content()),
  });
  return (
    <div className="entry-actions">
      <CopyButton text={svg ?? ''} label="Copy SVG" disabled={svg === undefined} />
      <div className="downloads" role="group" aria-label="Download">
        <Icon name="download" size={17} />
        {downloadsOf(entry).map((download) => (
          <Button
            key={download.file}
            aria-label={`Download ${download.name}`}
            busy={saving.isPending && saving.variables.file === download.file}
            onClick={() => saving.mutate(download)}
          >
            {download.name}
          </Button>
        ))}
      </div>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      <ErrorNote error={saving.error} />
    </div>
  );
}

function downloadsOf(entry: Entry): readonly Download[] {
  const { slug } = entry;
  const fetched = async (format: string, query: Readonly<Record<string, string>>) =>
    (await send(previewUrl(format, slug, query))).blob();
  return [
    { name: 'SVG', file: `${slug}.svg`, content: () => fetched('svg', {}) },
    ...PNG_SIDES.map((side) => ({
      name: `PNG ${side} px`,
      file: `${slug}-${side}.png`,
      content: () => fetched('png', { size: String(side) }),
    })),
    {
      name: 'ZIP of all variants',
      file: `${slug}.zip`,
      content: async () => (await import('./variants-zip.js')).variantsZip(entry),
    },
  ];
}
