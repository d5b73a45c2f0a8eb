// A card of a page: its heading, an action beside the heading, and its content. Also `Fact`, a name with its value.
import { useId, type ReactNode } from 'react';

interface CardProps {
  /** Id of the card, for links that lead to it. */
  readonly id?: string;
  readonly title: string;
  /** Shown below the title. */
  readonly lead?: ReactNode;
  /** Shown at the end of the title's row. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ id: target, title, lead, action, children }: CardProps) {
  const id = useId();
  return (
    <section id={target} className="card" aria-labelledby={id}>
      <div className="card-head">
        <div>
          <h2 id={id}>{title}</h2>
          {lead}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

/** Must be inside `<dl className="facts">`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
