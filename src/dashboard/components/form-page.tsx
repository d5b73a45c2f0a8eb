// The frame of pages with one form.
import type { ReactNode } from 'react';
import { usePage } from '../hooks/use-page.js';

interface Props {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
  readonly foot?: ReactNode;
}

export function FormPage({ title, lead, wide = false, children, foot }: Props) {
  usePage(title);
  return (
    <div className="form-page">
      <div className={wide ? 'card form-card wide' : 'card form-card'}>
        <header>
          <h1>{title}</h1>
          {lead !== undefined && <p className="lead">{lead}</p>}
        </header>
        {children}
      </div>
      {foot !== undefined && <p className="form-foot">{foot}</p>}
    </div>
  );
}
