// The logos of a strip: a search that adds a logo, and rows that are dragged or moved by buttons.
import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { Icon } from '../../components/icon.js';
import { Preview } from '../../components/preview.js';
import { searchFor, Suggestion, useCombobox, useFound, type Found } from '../../components/suggestions.js';
import type { SearchResult } from '../../data/queries.js';
import { askedHost } from '../../host-of.js';
import { useTheme } from '../../theme.js';

const LOGO_PX = 24;
/** Parameters of the picture for a domain that no brand has. The picture is a monogram. */
const MONOGRAM = { fallback: 'monogram' };

interface Props {
  readonly slugs: readonly string[];
  readonly titles: ReadonlyMap<string, string>;
  readonly onSlugs: (slugs: readonly string[]) => void;
  /** Called with a domain that no brand has. */
  readonly onUnknownHost: (host: string) => void;
}

export function StripLogos({ slugs, titles, onSlugs, onUnknownHost }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const nameOf = (slug: string): string => titles.get(slug) ?? slug;
  const move = (slug: string, to: number): void => {
    const others = slugs.filter((each) => each !== slug);
    if (to < 0 || to > others.length || slugs[to] === slug) return;
    onSlugs([...others.slice(0, to), slug, ...others.slice(to)]);
    setSaid(`${nameOf(slug)}: ${to + 1} of ${slugs.length}`);
  };
  const remove = (slug: string): void => {
    onSlugs(slugs.filter((each) => each !== slug));
    setSaid(`${nameOf(slug)} removed`);
    field.current?.focus();
  };
  const add = ({ slug, title }: SearchResult): void => {
    if (!slugs.includes(slug)) onSlugs([...slugs, slug]);
    setSaid(slugs.includes(slug) ? `${title} is already in the strip` : `${title} added`);
  };
  const drag = useDragging(move);
  const { list, remember } = useFocusAfterMove();
  const act = (action: Action, slug: string): void => {
    remember(`${action} ${slug}`);
    if (action === 'Remove') remove(slug);
    else move(slug, slugs.indexOf(slug) + (action === 'Move down' ? 1 : -1));
  };
  return (
    <div className="strip-logos">
      <AddLogo field={field} onAdd={add} onUnknownHost={onUnknownHost} />
      <ol {...drag.list} ref={list}>
        {slugs.map((slug) => (
          <Row
            key={slug}
            {...{ slug, name: nameOf(slug), isDragged: drag.dragged === slug }}
            isFirst={slug === slugs[0]}
            isLast={slug === slugs.at(-1)}
            onDrag={(event) => drag.begin(event, slug)}
            onAction={(action) => act(action, slug)}
          />
        ))}
      </ol>
      <p role="status" className="visually-hidden">
        {said}
      </p>
    </div>
  );
}

const ACTIONS = { 'Move up': 'move-up', 'Move down': 'move-down', Remove: 'close' } as const;
type Action = keyof typeof ACTIONS;

interface RowProps {
  readonly slug: string;
  readonly name: string;
  readonly isDragged: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onDrag: (event: PointerEvent<HTMLElement>) => void;
  readonly onAction: (action: Action) => void;
}

function Row({ slug, name, isDragged, isFirst, isLast, onDrag, onAction }: RowProps) {
  const on = useTheme();
  const isDisabled = { 'Move up': isFirst, 'Move down': isLast, Remove: false };
  return (
    <li data-slug={slug} data-dragged={isDragged || undefined}>
      <span className="drag-handle" title={`Drag ${name}`} onPointerDown={onDrag}>
        <Icon name="drag" size={16} />
      </span>
      <Preview slug={slug} alt="" size={LOGO_PX} query={{ on, ...(askedHost(slug) !== undefined && MONOGRAM) }} />
      <span className="strip-name">{name}</span>
      {(Object.keys(ACTIONS) as Action[]).map((action) => (
        <button
          key={action}
          type="button"
          className="icon-button"
          aria-label={`${action} ${name}`}
          aria-disabled={isDisabled[action] || undefined}
          data-action={`${action} ${slug}`}
          onClick={() => onAction(action)}
        >
          <Icon name={ACTIONS[action]} size={16} />
        </button>
      ))}
    </li>
  );
}

/**
 * All rows have the same height. The position of the dragged row is the number of other rows with their middle above
 * the pointer.
 */
function useDragging(move: (slug: string, to: number) => void) {
  const [dragged, setDragged] = useState<string>();
  const end = (): void => setDragged(undefined);
  // Scrolls the list to the dragged row.
  useEffect(() => {
    document.querySelector('[data-dragged]')?.scrollIntoView({ block: 'nearest' });
  });
  return {
    dragged,
    begin: (event: PointerEvent<HTMLElement>, slug: string): void => {
      if (event.button !== 0) return;
      event.preventDefault();
      // The list and not the row captures the pointer, because a row that moves in the document loses its capture.
      event.currentTarget.closest('ol')?.setPointerCapture(event.pointerId);
      setDragged(slug);
    },
    list: {
      onPointerMove: ({ currentTarget, clientY }: PointerEvent<HTMLElement>): void => {
        if (dragged === undefined) return;
        const others = [...currentTarget.querySelectorAll<HTMLElement>('li')].filter(
          ({ dataset }) => dataset.slug !== dragged,
        );
        move(dragged, others.filter((row) => middleOf(row) < clientY).length);
      },
      onPointerUp: end,
      onPointerCancel: end,
      onLostPointerCapture: end,
    },
  };
}

function middleOf(row: HTMLElement): number {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2;
}

/** Restores the focus of a row's button, which is lost when the row moves in the document. */
function useFocusAfterMove() {
  const list = useRef<HTMLOListElement>(null);
  const action = useRef<string>(undefined);
  useEffect(() => {
    if (action.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-action=${JSON.stringify(action.current)}]`)?.focus();
    action.current = undefined;
  });
  return { list, remember: (pressed: string) => (action.current = pressed) };
}

interface AddProps {
  readonly field: { readonly current: HTMLInputElement | null };
  readonly onAdd: (result: SearchResult) => void;
  readonly onUnknownHost: (host: string) => void;
}

/** A found logo, or a domain that no brand has. */
type AddOption = { readonly result: SearchResult } | { readonly host: string };

function AddLogo({ field, onAdd, onUnknownHost }: AddProps) {
  const [text, setText] = useState('');
  const found = useFound(text.trim());
  const add = (option: AddOption): void => {
    setText('');
    if ('host' in option) onUnknownHost(option.host);
    else onAdd(option.result);
  };
  const options = found ? optionsOf(found) : [];
  const addFirst = async (): Promise<void> => {
    const typed = text.trim();
    if (typed === '') return;
    const now = found?.text === typed ? found : await searchFor(typed).catch(() => ({ text: typed, results: [] }));
    optionsOf(now).slice(0, 1).forEach(add);
  };
  const box = useCombobox({
    ...{ text, onText: setText, options },
    onChoose: add,
    onSubmit: () => void addFirst(),
  });
  return (
    <form className="strip-add" {...box.form}>
      <input
        ref={field}
        type="search"
        className="input"
        aria-label="Add a logo"
        placeholder="Add a logo by name or domain"
        {...box.field}
      />
      {box.isShown && (
        <ul {...box.list}>
          {options.map((option, at) => (
            <li key={'host' in option ? option.host : option.result.slug} {...box.option(at)}>
              {'host' in option ? (
                `No brand has the domain ${option.host}. Add a monogram instead`
              ) : (
                <Suggestion {...option.result} />
              )}
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

function optionsOf({ text, results }: Pick<Found, 'text' | 'results'>): readonly AddOption[] {
  const host = results.length === 0 ? askedHost(text) : undefined;
  return host === undefined ? results.map((result) => ({ result })) : [{ host }];
}
