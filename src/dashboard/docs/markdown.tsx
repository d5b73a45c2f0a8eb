// The Markdown of the OpenAPI document: paragraphs, lists, tables and fenced code, with inline code, links and strong
// text.
import { createContext, useContext, type ReactNode } from 'react';
import { HighlightedCode } from './code.js';

/** Inline code that names a section (`GET /v1/usage`, `quota_exceeded`) → id of the section. */
export const SectionLinks = createContext<ReadonlyMap<string, string>>(new Map());

const FENCE = /^```(\w*)\n([\s\S]*?)\n```$/;
const BLOCKS = /^```[\s\S]*?\n```|(?:[^\n]+\n?)+/gm;
const ITEM = /^(?:\d+\.|[-*]) +/;
const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\[[^[\]]+\]\([^()\s]+\))/;

export function Markdown({ text }: { readonly text: string }) {
  return (text.match(BLOCKS) ?? []).map((block, at) => <Block key={at} text={block.trim()} />);
}

function Block({ text }: { readonly text: string }) {
  const [, language = '', code] = FENCE.exec(text) ?? [];
  if (code !== undefined) return <HighlightedCode text={code} label={`${language} code`} />;
  if (text.startsWith('|')) return <Table rows={text.split('\n')} />;
  if (!ITEM.test(text)) return <p>{inline(text)}</p>;
  const items = text.split(/\n(?=\d+\. |[-*] )/).map((item, at) => <li key={at}>{inline(item.replace(ITEM, ''))}</li>);
  return /^\d/.test(text) ? <ol>{items}</ol> : <ul>{items}</ul>;
}

/** The second row has the alignment of each column. */
function Table({ rows }: { readonly rows: readonly string[] }) {
  const cells = (row = ''): string[] => row.split('|').slice(1, -1);
  const [head, alignment, ...body] = rows;
  const numeric = cells(alignment).map((cell) => cell.trim().endsWith(':'));
  const className = (at: number): string | undefined => (numeric[at] === true ? 'number' : undefined);
  return (
    <div className="table-scroll" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {cells(head).map((cell, at) => (
              <th key={at} scope="col" className={className(at)}>
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row) => (
            <tr key={row}>
              {cells(row).map((cell, at) => (
                <td key={at} className={className(at)}>
                  {inline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(text: string): ReactNode {
  return text.split(INLINE).map((part, at) => {
    const [, label, target] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
    if (label !== undefined)
      return (
        <a key={at} href={target}>
          {label}
        </a>
      );
    if (part.startsWith('**')) return <strong key={at}>{part.slice(2, -2)}</strong>;
    return at % 2 === 1 ? <LinkedCode key={at} text={part.slice(1, -1)} /> : part;
  });
}

/** Inline code, which links to the section that it names. */
export function LinkedCode({ text }: { readonly text: string }) {
  const id = useContext(SectionLinks).get(text);
  const code = <code>{text}</code>;
  return id === undefined ? code : <a href={`#${id}`}>{code}</a>;
}
