// The URL of the shown picture, and code in the chosen language.
import { useId, useState } from 'react';
import { Card } from '../../components/card.js';
import { Code, CopyIcon } from '../../components/copy.js';
import { PublishableKeyChoice } from '../../components/publishable-key-choice.js';
import { Segments } from '../../components/segments.js';
import { Select } from '../../components/select.js';
import type { Entry } from '../../data/queries.js';
import { FORMATS, type Format } from './parameters.js';
import { addressOf, HINTS, snippets } from './snippets.js';

const FORMAT_OPTIONS = FORMATS.map((format) => [format, format === 'webp' ? 'WebP' : format.toUpperCase()] as const);

interface Props {
  readonly entry: Entry;
  readonly format: Format;
  readonly onFormat: (format: Format) => void;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly publishableKey: string | undefined;
  readonly onKey: (key: string | undefined) => void;
}

export function CodeCard({ entry: { slug, title, domains }, format, onFormat, query, publishableKey, onKey }: Props) {
  const id = useId();
  const [language, setLanguage] = useState('HTML');
  const url = addressOf({ slug, format, query }, publishableKey);
  const codes = snippets({ slug, title, domain: domains[0], format, query, publishableKey });
  const code = codes[language] ?? '';
  const parts = typeof code === 'string' ? { [`${language} code`]: code } : code;
  return (
    <Card title="Code" action={<Segments label="Format" options={FORMAT_OPTIONS} value={format} onValue={onFormat} />}>
      <div className="card-body stack">
        <div className="secret">
          <code data-testid="built-url">{url}</code>
          <CopyIcon text={url} label="URL" />
        </div>
        <PublishableKeyChoice chosen={publishableKey} onChosen={onKey} />
        <div className="control wide">
          <label htmlFor={id}>Language</label>
          <Select
            id={id}
            value={language}
            onValue={setLanguage}
            options={Object.keys(codes).map((name) => [name, LANGUAGE_NAMES[name] ?? name])}
          />
        </div>
        {Object.entries(parts).map(([label, text]) => (
          <Code key={label} text={text} label={label} />
        ))}
        {HINTS[language] !== undefined && <p className="hint">{HINTS[language]}</p>}
      </div>
    </Card>
  );
}

const LANGUAGE_NAMES: Readonly<Record<string, string | undefined>> = {
  Client: 'TypeScript client',
  Element: 'Web component',
};
