// What stands in the place of content: loading, failed, empty.
import type { ReactNode } from 'react';
import { Icon } from './icon.js';

/** `height` in px. */
export function Skeleton({ height, width }: { readonly height: number; readonly width?: string }) {
  return <div className="skeleton" style={{ height, width }} />;
}

export function SkeletonLines({ lines }: { readonly lines: number }) {
  return (
    <div className="skeleton-lines" aria-busy="true">
      <span className="visually-hidden" role="status">
        Loading…
      </span>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={18} width={line % 3 === 2 ? '60%' : '100%'} />
      ))}
    </div>
  );
}

export function PageSkeleton() {
  return (
    <div className="page">
      <SkeletonLines lines={6} />
    </div>
  );
}

interface EmptyProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
}

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div className="empty">
      {icon}
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function ErrorState({ text, onRetry }: { readonly text: string; readonly onRetry?: (() => void) | undefined }) {
  return (
    <div role="alert">
      <Empty icon={<Icon name="not-loaded" size={32} />} title="This could not be loaded">
        <p>{text}</p>
        {onRetry && (
          <button type="button" className="button" onClick={onRetry}>
            Try again
          </button>
        )}
      </Empty>
    </div>
  );
}
