// The API reference: introduction, credentials, operations by tag, and error codes.
import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { ApiDocument, Operation } from './api-document.js';
import { ChosenLanguage } from './code.js';
import { Introduction } from './introduction.js';
import { Markdown, SectionLinks } from './markdown.js';
import { MediaExample, OperationSection, SchemeText } from './operation.js';
import { RoutesMenu } from './routes-menu.js';
import type { Language } from './samples.js';
import { TryIt } from './try-it.js';

export function Reference({ api }: { readonly api: ApiDocument }) {
  const language = useState<Language>('curl');
  const [credential, setCredential] = useState('');
  const [tried, setTried] = useState<Operation>();
  const links = useMemo(() => sectionLinks(api), [api]);
  const chapter = useChapter(api);
  return (
    <SectionLinks value={links}>
      <ChosenLanguage value={language}>
        <div className="docs">
          <RoutesMenu api={api} chapter={chapter} />
          <Content api={api} chapter={chapter} onTry={setTried} />
        </div>
        {tried && (
          <TryIt
            key={tried.id}
            operation={tried}
            credential={credential}
            onCredential={setCredential}
            onClose={() => setTried(undefined)}
          />
        )}
      </ChosenLanguage>
    </SectionLinks>
  );
}

/**
 * Returns the id of the chapter that the URL names. Other chapters are hidden, also from Ctrl-F. A fragment that is in
 * no chapter, such as `#main`, does not change the chapter.
 */
function useChapter(api: ApiDocument): string {
  const [fragment, setFragment] = useState(() => decodedFragment(location.hash.slice(1)));
  const [chapter, setChapter] = useState(() => chapterOf(api, fragment) ?? INTRODUCTION.id);
  useEffect(() => {
    const follow = (): void => {
      const next = decodedFragment(location.hash.slice(1));
      setChapter((current) => chapterOf(api, next === '' ? INTRODUCTION.id : next) ?? current);
      setFragment(next);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [api]);
  useEffect(() => scrollToSection(fragment), [fragment]);
  return chapter;
}

function chapterOf(api: ApiDocument, fragment: string): string | undefined {
  return chaptersOf(api).find(({ id }) => fragment === id || fragment.startsWith(`${id}/`))?.id;
}

const INTRODUCTION = { id: 'introduction', name: 'Introduction' };

function chaptersOf({ groups }: ApiDocument): readonly { readonly id: string; readonly name: string }[] {
  return [INTRODUCTION, { id: 'credentials', name: 'Credentials' }, { id: 'errors', name: 'Errors' }, ...groups];
}

/**
 * Scrolls to the section, and scrolls again in the next frames, because sections near the window get their real heights
 * only in these frames (`content-visibility`).
 */
function scrollToSection(fragment: string): void {
  const section = document.getElementById(fragment);
  let frames = 10;
  const scroll = (): void => {
    section?.scrollIntoView();
    if (--frames > 0) requestAnimationFrame(scroll);
  };
  scroll();
}

/**
 * Decodes a fragment, because browsers and programs that forward links may encode braces. Returns an empty text if a
 * program has cut the fragment in the middle of an encoded character.
 */
function decodedFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return '';
  }
}

function sectionLinks({ groups, 'x-errors': errors }: ApiDocument): ReadonlyMap<string, string> {
  const operations = groups.flatMap((group) => group.operations);
  return new Map([
    ...operations.map(({ method, path, id }) => [`${method} ${path}`, id] as const),
    ...Object.keys(errors).map((code) => [code, `errors/${code}`] as const),
  ]);
}

interface ContentProps {
  readonly api: ApiDocument;
  /** Id of the shown chapter. */
  readonly chapter: string;
  readonly onTry: (operation: Operation) => void;
}

const Content = memo(function Content({ api, chapter, onTry }: ContentProps) {
  const { info, groups } = api;
  // The first paint only has the heads of all operations, because their content has ten thousand elements.
  const isComplete = useDeferredValue(true, false);
  const [named] = useState(() => decodedFragment(location.hash.slice(1)));
  return (
    <main id="main" tabIndex={-1} aria-busy={!isComplete}>
      {chapter !== INTRODUCTION.id && <h1 className="visually-hidden">API reference</h1>}
      <div hidden={chapter !== INTRODUCTION.id}>
        <Introduction info={info} origin={location.origin} />
      </div>
      <div hidden={chapter !== 'credentials'}>
        <CredentialsSection api={api} />
      </div>
      <div hidden={chapter !== 'errors'}>
        <ErrorsSection api={api} />
      </div>
      {groups.map(({ id, name, description, operations }) => (
        <section key={id} hidden={chapter !== id} aria-labelledby={`${id}-heading`}>
          <div id={id} className="prose" data-section>
            <h2 id={`${id}-heading`}>{name}</h2>
            <Markdown text={description} />
          </div>
          {operations.map((operation) => (
            <OperationSection
              key={operation.id}
              operation={operation}
              isComplete={isComplete || operation.id === named}
              onTry={onTry}
            />
          ))}
        </section>
      ))}
      <NextChapters api={api} chapter={chapter} />
    </main>
  );
});

function NextChapters({ api, chapter }: Omit<ContentProps, 'onTry'>) {
  const chapters = chaptersOf(api);
  const at = chapters.findIndex(({ id }) => id === chapter);
  const [before, after] = [chapters[at - 1], chapters[at + 1]];
  return (
    <nav className="next-chapters" aria-label="Chapters">
      {before && <a href={`#${before.id}`}>← {before.name}</a>}
      {after && <a href={`#${after.id}`}>{after.name} →</a>}
    </nav>
  );
}

function CredentialsSection({ api: { components } }: Pick<ContentProps, 'api'>) {
  return (
    <section id="credentials" className="prose" data-section>
      <h2>Credentials</h2>
      <ul className="fields">
        {Object.values(components.securitySchemes).map((scheme) => (
          <li key={scheme.description}>
            <p>
              <SchemeText {...scheme} />
            </p>
            <Markdown text={scheme.description} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ErrorsSection({ api }: Pick<ContentProps, 'api'>) {
  const { groups, 'x-errors': errors } = api;
  const invalid = groups[0]?.operations[0]?.responses['400']?.content?.['application/json'];
  return (
    <section id="errors" className="prose" data-section>
      <h2>Errors</h2>
      <p>The HTTP status and the meaning of each error code, and what to do.</p>
      {invalid && <MediaExample media={invalid} label="Example of an error" />}
      <ul className="fields">
        {Object.entries(errors).map(([code, { status, message, action }]) => (
          <li key={code} id={`errors/${code}`}>
            <p className="field-head">
              <code className="field-name">{code}</code> <span className="status bad">{status}</span>
            </p>
            <p>{message}</p>
            <div className="action">
              <Markdown text={action} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
