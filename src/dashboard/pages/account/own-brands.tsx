// Own brands of the account: files dropped anywhere on the page become drafts; what is saved can be changed and removed.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type ChangeEvent } from 'react';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Icon } from '../../components/icon.js';
import { Note } from '../../components/note.js';
import { Empty, QueryContent } from '../../components/query-states.js';
import { announce } from '../../components/toasts.js';
import { draftOf, ownBrands, refreshBrands, type Draft } from '../../data/own-brands.js';
import { formatNumber } from '../../format.js';
import { OwnBrandForm } from './own-brand-form.js';
import { BrandRow } from './own-brand-row.js';
import { PageHead } from './page-head.js';

interface FileError {
  readonly name: string;
  readonly text: string;
}

export default function OwnBrands() {
  const [drafts, setDrafts] = useState<readonly Draft[]>([]);
  const [errors, setErrors] = useState<readonly FileError[]>([]);
  const query = useInfiniteQuery(ownBrands);

  async function take(files: readonly File[]): Promise<void> {
    const read = await Promise.all(
      files.map((file) =>
        draftOf(file, askedTitle(files)).catch((error: unknown): FileError => ({
          name: file.name,
          text: (error as Error).message,
        })),
      ),
    );
    setErrors(read.filter((one) => 'text' in one));
    setDrafts((current) => [...current, ...read.filter((one) => 'svg' in one)]);
  }
  const isDraggedOver = useDroppedFiles(take);
  const drop = (id: number): void => setDrafts((current) => current.filter((draft) => draft.id !== id));

  return (
    <>
      <PageHead title="Your brands" lead="Logos of your own, beside the public ones: for your keys alone.">
        <FileButton onFiles={take} />
      </PageHead>
      {isDraggedOver && <div className="drop-sign">Drop the SVG files</div>}
      {errors.map(({ name, text }) => (
        <Note key={name} kind="bad">
          <p>
            {name}: {text}
          </p>
        </Note>
      ))}
      {drafts.map((draft) => (
        <DraftCard key={draft.id} draft={draft} onDone={() => drop(draft.id)} />
      ))}
      <QueryContent query={query}>
        {({ pages }) => {
          const brands = pages.flatMap((page) => page.brands);
          if (brands.length === 0) return drafts.length === 0 ? <NoBrands onFiles={take} /> : null;
          return (
            <Card title={countText(pages[0]?.total ?? 0)}>
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
    </>
  );
}

function countText(total: number): string {
  return `${formatNumber(total)} ${total === 1 ? 'brand' : 'brands'}`;
}

/** The name that was searched for in vain, on the way to this page; undefined for several files. */
function askedTitle(files: readonly File[]): string | undefined {
  return files.length === 1 ? (new URLSearchParams(location.search).get('title') ?? undefined) : undefined;
}

function DraftCard({ draft, onDone }: { readonly draft: Draft; readonly onDone: () => void }) {
  const saved = async (title: string): Promise<void> => {
    await refreshBrands();
    announce(`${title} added`);
    onDone();
  };
  return (
    <Card title={draft.fileName} lead={<p>Not saved yet.</p>}>
      <div className="card-body">
        <OwnBrandForm {...draft} onCancel={onDone} onSaved={saved} />
      </div>
    </Card>
  );
}

interface Files {
  readonly onFiles: (files: readonly File[]) => unknown;
}

function FileButton({ onFiles }: Files) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(target.files ?? [])]);
    target.value = '';
  };
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        accept=".svg,image/svg+xml"
        multiple
        hidden
        aria-label="SVG files"
        onChange={choose}
      />
      <Button kind="primary" onClick={() => input.current?.click()}>
        <Icon name="add" size={16} /> Add SVG files
      </Button>
    </>
  );
}

function NoBrands({ onFiles }: Files) {
  return (
    <Card title="None yet">
      <Empty icon="brands" title="Drop SVG files anywhere on this page">
        <p>
          Then <code>&lt;img src="/v1/logo/intranet.corp?key=blzp_…"&gt;</code> shows your logo, as it shows the public
          ones. Nobody else sees it.
        </p>
        <FileButton onFiles={onFiles} />
      </Empty>
    </Card>
  );
}

/** True while files are dragged over the page. */
function useDroppedFiles(onFiles: Files['onFiles']): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onFiles);
  useEffect(() => {
    take.current = onFiles;
  });
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const dropped = (event: DragEvent): void => {
      // Text goes to the field that it is dropped on.
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(false);
      take.current([...event.dataTransfer.files]);
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
