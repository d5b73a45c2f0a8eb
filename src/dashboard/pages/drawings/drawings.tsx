// Which drawings are accepted, and what to do about others: docs/drawings.md.
import { useEffect } from 'react';
import { lead, rejections, sections } from 'virtual:drawings';
import { Card } from '../../components/card.js';
import { Markdown } from '../../docs/markdown.js';
import { usePageTitle } from '../../hooks/use-page-title.js';

export default function DrawingsPage() {
  usePageTitle('Accepted drawings');
  // The browser looked for the fragment before the page was there.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
  return (
    <div className="page stack">
      <header className="stack-small">
        <h1>Accepted drawings</h1>
        <p className="lead">{lead}</p>
      </header>
      {sections.map(({ title, text }) => (
        <Card key={title} title={title}>
          <div className="card-body stack prose">
            <Markdown text={text} />
          </div>
          {title === 'Rejected' && (
            <ul className="rejections">
              {rejections.map(({ title: code, text: rejection }) => (
                <li key={code} id={code} className="stack-small prose">
                  <h3>
                    <code>{code}</code>
                  </h3>
                  <Markdown text={rejection} />
                </li>
              ))}
            </ul>
          )}
        </Card>
      ))}
    </div>
  );
}
