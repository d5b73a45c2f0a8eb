// Code with highlighting, and the sample of a request in the chosen language.
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { Code } from '../components/copy.js';
import type { ApiRequest } from './request.js';
import { LANGUAGES, sampleOf, type Language } from './samples.js';

/**
 * Matches one of three: the name of a JSON field; a string; a number or constant (of JSON or Python) at the end of a
 * line.
 */
const TOKENS =
  /("(?:[^"\\\n]|\\.)*"(?=:))|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<=: |^ {1,100})(-?[\d.]+|true|false|null|True|False|None)(?=,?$)/gm;
/** Kinds of tokens, in the order of the groups in `TOKENS`. */
const KINDS = ['field', 'string', 'constant'];

/** Longer texts are not highlighted. */
const MAX_HIGHLIGHTED_CHARACTERS = 10_000;

function highlighted(text: string): ReactNode {
  if (text.length > MAX_HIGHLIGHTED_CHARACTERS) return text;
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const kind = KINDS[match.slice(1).findIndex(Boolean)];
    parts.push(
      text.slice(end, match.index),
      <span key={match.index} className={`token-${kind ?? ''}`}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

/** Code with colors and a button that copies it. `label` is the name of the code. */
export function HighlightedCode({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <Code text={text} label={label}>
      {useMemo(() => highlighted(text), [text])}
    </Code>
  );
}

/** The language of all samples on the page. */
export const ChosenLanguage = createContext<readonly [Language, (language: Language) => void]>([
  'curl',
  () => undefined,
]);

interface SampleProps {
  readonly request: ApiRequest;
  /** Media type of the response. */
  readonly media: string | undefined;
  /** Shown beside the choice of the language. */
  readonly children?: ReactNode;
}

export function RequestSample({ request, media, children }: SampleProps) {
  const [language, choose] = useContext(ChosenLanguage);
  return (
    <div className="panel">
      <div className="panel-head">
        <div role="group" aria-label="Language of the code samples">
          {LANGUAGES.map((each) => (
            <button key={each} type="button" aria-pressed={each === language} onClick={() => choose(each)}>
              {each}
            </button>
          ))}
        </div>
        {children}
      </div>
      <HighlightedCode text={sampleOf(language, request, media)} label={`${language} sample`} />
    </div>
  );
}
