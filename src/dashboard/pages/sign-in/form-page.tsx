// The frame of pages with one form.
import type { ReactNode } from 'react';
import { usePageTitle } from '../../hooks/use-page-title.js';

interface Props {
  readonly title: string;
  readonly lead: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
}

export function FormPage({ title, lead, wide = false, children, foot }: Props) {
  usePageTitle(title);
  return (
    <div className="form-page">
      <div className={wide ? 'card form-card wide' : 'card form-card'}>
        <header>
          <h1>{title}</h1>
          <p className="lead">{lead}</p>
        </header>
        {children}
      </div>
      {foot !== undefined && <p className="form-foot">{foot}</p>}
    </div>
  );
}
