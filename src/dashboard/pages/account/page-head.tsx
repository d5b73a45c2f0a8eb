// The head of a page of an account, whose title is the window's too.
import type { ReactNode } from 'react';
import { usePageTitle } from '../../hooks/use-page-title.js';

interface Props {
  readonly title: string;
  readonly lead: string;
  /** Beside the title, at the end. */
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
