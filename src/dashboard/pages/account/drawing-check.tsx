// Shows a chosen drawing before it is saved: the file beside the sanitized drawing, on light and dark backgrounds, or
// the reason of its rejection.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { isTemporary } from '../../api/error.js';
import { sanitizedDrawing, type DrawingFile, type SanitizedDrawing } from '../../data/drawing-files.js';
import { useObjectUrl } from '../../hooks/use-object-url.js';

export const GROUNDS = ['light', 'dark'] as const;
export type Ground = (typeof GROUNDS)[number];

export type CheckedDrawing = UseQueryResult<SanitizedDrawing>;

/** Without a file, nothing is checked. */
export function useCheckedDrawing(file: DrawingFile | undefined): CheckedDrawing {
  return useQuery({
    queryKey: ['checked-drawing', file?.id],
    queryFn: () => (file ? sanitizedDrawing(file.bytes) : Promise.reject(new Error('There is no file.'))),
    enabled: file !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
}

interface Props {
  readonly file: DrawingFile;
  readonly checked: CheckedDrawing;
  /** First column: the drawing that the file replaces. */
  readonly children?: ReactNode;
}

export function DrawingComparison({ file, checked: { data, error }, children }: Props) {
  return (
    <div className="comparison">
      {children}
      <BlobColumn title="Your file" blob={file.shown} />
      {error === null && <BlobColumn title="Result" blob={data?.svg} />}
      {data === undefined && error === null && (
        <p className="visually-hidden" role="status">
          Checking {file.name}…
        </p>
      )}
    </div>
  );
}

/** The reason why the file was rejected or could not be checked. */
export function CheckError({ checked: { error, refetch } }: Pick<Props, 'checked'>) {
  return <ErrorNote error={error} {...(isTemporary(error) && { onRetry: () => void refetch() })} />;
}

interface ColumnProps {
  readonly title: string;
  readonly children: (ground: Ground) => ReactNode;
}

export function GroundColumn({ title, children }: ColumnProps) {
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {GROUNDS.map((ground) => (
        <div key={ground} className={`background background-${ground}`}>
          {children(ground)}
        </div>
      ))}
    </figure>
  );
}

/** Shows a skeleton until there is a picture. */
function BlobColumn({ title, blob }: { readonly title: string; readonly blob: Blob | undefined }) {
  const url = useObjectUrl(blob);
  const [brokenUrl, setBrokenUrl] = useState<string>();
  return (
    <GroundColumn title={title}>
      {(ground) => {
        if (url === undefined) return <span className="skeleton" />;
        if (brokenUrl === url) return <Icon name="broken-picture" size={24} label="Cannot be shown" />;
        return <img src={url} alt={`${title} on a ${ground} background`} onError={() => setBrokenUrl(url)} />;
      }}
    </GroundColumn>
  );
}
