// Shows content from the service, or an element that says that the content is loading, has failed to load, or is empty.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../api/error.js';
import { Icon, type IconName } from './icon.js';

interface QueryContentProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** Height in lines of the placeholder that is shown while the content loads. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/** Keeps the loaded content when reloading fails. */
export function QueryContent<Data>({ query: { data, error, refetch }, lines = 3, children }: QueryContentProps<Data>) {
  if (data !== undefined) return <>{children(data)}</>;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className="card-body">
      <SkeletonLines lines={lines} />
    </div>
  );
}

/** `height` is in px. */
export function Skeleton({ height, width }: { readonly height: number; readonly width?: string }) {
  return <div className="skeleton" style={{ height, width }} />;
}

function SkeletonLines({ lines }: { readonly lines: number }) {
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
  readonly icon: IconName;
  /** Side in px. */
  readonly iconSize?: number;
  readonly title: string;
  readonly children: ReactNode;
}

export function Empty({ icon, iconSize = 32, title, children }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={icon} size={iconSize} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

interface ErrorStateProps {
  /** An error of a request, or a text. */
  readonly error: unknown;
  readonly onRetry: () => void;
}

export function ErrorState({ error, onRetry }: ErrorStateProps) {
  return (
    <div role="alert">
      <Empty icon="not-loaded" title="This could not be loaded">
        <p>{typeof error === 'string' ? error : errorText(error)}</p>
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      </Empty>
    </div>
  );
}
