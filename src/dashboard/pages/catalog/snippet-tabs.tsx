// The code for a picture, by language, as tabs of the WAI-ARIA pattern: the arrow keys, Home and End select.
import { useId, useState, type KeyboardEvent } from 'react';
import { Code } from '../../components/copy.js';
import { snippets, type SnippetOptions } from './snippets.js';

/** What one could not see in the code. */
const HINTS: Readonly<Record<string, string | undefined>> = {
  Markdown:
    'Where there are two, GitHub shows the one for the theme of its reader. Other sites show both: use the HTML there.',
};

export function SnippetTabs(options: SnippetOptions) {
  const list = Object.entries(snippets(options));
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
        <Code key={language} text={code} label={`${language} code`} />
        {HINTS[language] !== undefined && <p className="hint snippet-hint">{HINTS[language]}</p>}
      </div>
    </div>
  );
}
