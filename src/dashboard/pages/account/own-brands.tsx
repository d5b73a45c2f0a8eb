// Own brands of the account. Files dropped anywhere on the page become drafts; saved brands can be edited and removed.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Icon } from '../../components/icon.js';
import { Note } from '../../components/note.js';
import { Empty, QueryContent } from '../../components/query-states.js';
import { DRAWINGS_PAGE, siteIconFile } from '../../data/drawing-files.js';
import { draftOf, ownBrands, type Draft } from '../../data/own-brands.js';
import { formatNumber } from '../../format.js';
import { FileButton } from './file-button.js';
import { DraftCard } from './own-brand-draft.js';
import { BrandRow } from './own-brand-row.js';
import { PageHead } from './page-head.js';

interface FileError {
  readonly name: string;
  readonly text: string;
}

export default function OwnBrands() {
  const { drafts, errors, take, drop } = useDrafts();
  const query = useInfiniteQuery(ownBrands);
  const total = query.data?.pages[0]?.total ?? 0;
  const isEmpty = drafts.length === 0 && total === 0;
  const isDraggedOver = useDroppedFiles(take);
  useSiteIcon(take);

  return (
    <>
      <PageHead title="Your brands" lead="Your own logos. They work like the public ones, but only with your keys.">
        {!isEmpty && <UploadButton onFiles={take} />}
      </PageHead>
      {isDraggedOver && <div className="drop-sign">Drop the SVG files</div>}
      <div className="stack">
        {errors.map(({ name, text }) => (
          <Note key={name} kind="bad">
            <p>
              {name}: {text}
            </p>
            <AboutDrawings />
          </Note>
        ))}
        {drafts.map((draft) => (
          <DraftCard
            key={draft.file.id}
            draft={draft}
            onDone={() => drop(draft)}
            onFiles={(files) => take(files, draft)}
          />
        ))}
        <QueryContent query={query}>
          {({ pages }) => {
            const brands = pages.flatMap((page) => page.brands);
            if (isEmpty) return <NoBrands onFiles={take} />;
            if (brands.length === 0) return null;
            return (
              <Card title={countText(total)}>
                <ul className="list">
                  {brands.map((brand) => (
                    <BrandRow key={brand.slug} brand={brand} />
                  ))}
                </ul>
                {query.hasNextPage && (
                  <div className="card-body">
                    <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                      Show more
                    </Button>
                  </div>
                )}
              </Card>
            );
          }}
        </QueryContent>
      </div>
    </>
  );
}

/** Returns new brands made from the chosen files, and the rejected files. */
function useDrafts() {
  const [drafts, setDrafts] = useState<readonly Draft[]>([]);
  const [errors, setErrors] = useState<readonly FileError[]>([]);

  /** `place` is the draft that the files replace. */
  async function take(files: readonly File[], place?: Draft): Promise<void> {
    const read = await Promise.all(
      files.map((file) =>
        draftOf(file, asked('title', files), asked('domain', files)).catch((error: unknown): FileError => ({
          name: file.name,
          text: (error as Error).message,
        })),
      ),
    );
    const taken = read.filter((one) => 'file' in one);
    setErrors(read.filter((one) => 'text' in one));
    setDrafts((current) =>
      place === undefined || taken.length === 0
        ? [...current, ...taken]
        : current.flatMap((draft) => (draft === place ? taken : draft)),
    );
  }
  const drop = (dropped: Draft): void => setDrafts((current) => current.filter((draft) => draft !== dropped));
  return { drafts, errors, take, drop };
}

function countText(total: number): string {
  return `${formatNumber(total)} ${total === 1 ? 'brand' : 'brands'}`;
}

/**
 * Returns the title or domain from the page's URL, where a search without a result has put it. Returns undefined for
 * several files, because the search was about one brand.
 */
function asked(fact: 'title' | 'domain', files: readonly File[]): string | undefined {
  return files.length === 1 ? (new URLSearchParams(location.search).get(fact) ?? undefined) : undefined;
}

interface Files {
  readonly onFiles: (files: readonly File[]) => unknown;
}

function UploadButton({ onFiles }: Files) {
  return (
    <FileButton kind="primary" onFiles={onFiles}>
      <Icon name="add" size={16} /> Upload drawings
    </FileButton>
  );
}

function AboutDrawings() {
  return (
    <a href={DRAWINGS_PAGE} target="_blank" rel="noopener">
      Which drawings are accepted
    </a>
  );
}

function NoBrands({ onFiles }: Files) {
  return (
    <Card title="Add your own brands">
      <Empty icon="brands" title="Drop SVG files anywhere on this page">
        <p>You see each drawing on a light and a dark page before you save it.</p>
        <UploadButton onFiles={onFiles} />
        <AboutDrawings />
      </Empty>
    </Card>
  );
}

/**
 * If the page's URL contains `icon=site` and a `domain`, makes a draft from the icon of this website. The catalog page
 * links to this URL if a search for a domain has no result.
 */
function useSiteIcon(onFiles: Files['onFiles']): void {
  const take = useRef(onFiles);
  useEffect(() => {
    const url = new URL(location.href);
    const { searchParams: asked } = url;
    const host = asked.get('icon') === 'site' ? asked.get('domain') : null;
    if (host === null) return;
    asked.delete('icon');
    // Removes the parameter `icon`. Otherwise a reload would make the draft again.
    history.replaceState(history.state, '', url);
    void siteIconFile(host).then((file) => file && take.current([file]));
  }, []);
}

/** Returns true while files are dragged over the page. */
function useDroppedFiles(onFiles: Files['onFiles']): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFiles);
  useEffect(() => {
    take.current = onFiles;
  });
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(!isDialogOpen());
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const dropped = (event: DragEvent): void => {
      // Ignores dropped text, because the browser inserts it into the field below the pointer.
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (!isDialogOpen()) take.current([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', dropped);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', dropped);
    };
  }, []);
  return isOver;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}

/** Returns true if a dialog is open. The dialog covers the page and accepts files itself. */
function isDialogOpen(): boolean {
  return document.querySelector('dialog:modal') !== null;
}
