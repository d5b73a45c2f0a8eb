// Grid of entries that renders only the visible rows, and loads more before its end is reached.
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { SearchResult } from '../../data/queries.js';
import { useTheme } from '../../theme.js';
import { Preview } from '../../components/preview.js';

const MIN_TILE_PX = 132;
const ROW_PX = 140;
/**
 * Number of rows that are rendered beyond the window. The next page of results is requested when the last rendered row
 * is at most this far from the end.
 */
const OVERSCAN_ROWS = 4;
const PICTURE_PX = 48;

interface Props {
  readonly results: readonly SearchResult[];
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onMore: () => void;
  /** Called when the focus leaves the first row upward. */
  readonly onLeave: () => void;
}

/** Moves the focus to a tile. `at` counts from 0. Does nothing if there is no such tile. */
export function focusTile(at: number): void {
  document.querySelector<HTMLElement>(`.grid li[aria-posinset="${at + 1}"] a`)?.focus();
}

export function Grid({ results, hasMore, isLoading, onMore, onLeave }: Props) {
  const holder = useRef<HTMLUListElement>(null);
  const { columns, offset } = useLayout(holder);
  const rows = Math.ceil(results.length / columns);
  const virtualizer = useWindowVirtualizer({
    count: rows,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN_ROWS,
    scrollMargin: offset,
  });
  const items = virtualizer.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows - 1 - OVERSCAN_ROWS;
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoading && results.length > 0) onMore();
  }, [isNearEnd, hasMore, isLoading, results.length, onMore]);
  const moveFocus = (event: KeyboardEvent<HTMLElement>): void => {
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
    const step = Object.hasOwn(steps, event.key) ? steps[event.key as keyof typeof steps] : undefined;
    const tile = event.target instanceof Element ? event.target.closest('li') : null;
    if (step === undefined || !tile || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const at = Number(tile.ariaPosInSet) - 1 + step;
    if (at < 0 && event.key === 'ArrowUp') onLeave();
    else focusTile(at);
  };
  return (
    <ul
      ref={holder}
      className="grid"
      style={{ height: virtualizer.getTotalSize() }}
      aria-label="Entries"
      onKeyDown={moveFocus}
    >
      {items.flatMap(({ index, start }) =>
        results.slice(index * columns, (index + 1) * columns).map((result, column) => (
          <li
            key={result.slug}
            aria-setsize={results.length}
            aria-posinset={index * columns + column + 1}
            style={{
              width: `${100 / columns}%`,
              height: ROW_PX,
              transform: `translate(${column * 100}%, ${start - offset}px)`,
            }}
          >
            <Tile {...result} />
          </li>
        )),
      )}
    </ul>
  );
}

function Tile({ slug, title }: SearchResult) {
  const on = useTheme();
  return (
    <a className="tile" href={`/catalog/${slug}`}>
      <Preview slug={slug} alt="" size={PICTURE_PX} query={{ on }} lazy isWide />
      <span>{title}</span>
    </a>
  );
}

/**
 * Returns the number of columns that fit into the grid, and the distance of the grid from the top of the page in px.
 */
function useLayout(holder: RefObject<HTMLUListElement | null>) {
  const [layout, setLayout] = useState({ columns: 6, offset: 0 });
  useLayoutEffect(() => {
    const { current } = holder;
    if (!current) return undefined;
    const measure = (): void => {
      const columns = Math.max(2, Math.floor(current.clientWidth / MIN_TILE_PX));
      const offset = Math.round(current.getBoundingClientRect().top + scrollY);
      setLayout((known) => (known.columns === columns && known.offset === offset ? known : { columns, offset }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [holder]);
  return layout;
}
