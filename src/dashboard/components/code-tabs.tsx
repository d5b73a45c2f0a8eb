// Tabs with code in several languages (WAI-ARIA pattern). The arrow keys, Home and End select a tab.
import { useId, useState, type KeyboardEvent } from 'react';
import { Code } from './copy.js';

/** Code by language. If a language has several pieces of code, they are listed by name. */
export type CodeByLanguage = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

interface Props {
  readonly codes: CodeByLanguage;
  /** Hints by language, about facts that the code doesn't show. */
  readonly hints?: Readonly<Record<string, string | undefined>>;
}

export function CodeTabs({ codes, hints = {} }: Props) {
  const list = Object.entries(codes);
  const [selected, setSelected] = useState(0);
  const id = useId();
  const selectByKey = (event: KeyboardEvent<HTMLElement>): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      Home: -selected,
      End: -selected - 1,
    };
    const step = steps[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = (selected + step + list.length) % list.length;
    setSelected(next);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  const [language = '', code = ''] = list[selected] ?? [];
  return (
    <div className="snippets">
      <div className="tabs-list" role="tablist" aria-label="Code" onKeyDown={selectByKey}>
        {list.map(([name], index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-controls={`${id}-panel`}
            aria-selected={index === selected}
            tabIndex={index === selected ? 0 : -1}
            onClick={() => setSelected(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {Object.entries(typeof code === 'string' ? { [`${language} code`]: code } : code).map(([label, text]) => (
          <Code key={label} text={text} label={label} />
        ))}
        {hints[language] !== undefined && <p className="hint snippet-hint">{hints[language]}</p>}
      </div>
    </div>
  );
}
