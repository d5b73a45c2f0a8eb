// The head of an account page. Its title is also the title of the window.
import type { ReactNode } from 'react';
import { usePageTitle } from '../../hooks/use-page-title.js';

interface Props {
  readonly title: string;
  readonly lead: string;
  /** Shown at the end of the title's row. */
  readonly children?: ReactNode;
}

export function PageHead({ title, lead, children }: Props) {
  usePageTitle(title);
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        <p className="lead">{lead}</p>
      </div>
      {children}
    </header>
  );
}
