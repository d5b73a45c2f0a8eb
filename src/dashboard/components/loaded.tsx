// Content that was read from the service, or what stands in its place.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../api/error.js';
import { ErrorState, SkeletonLines } from './states.js';

interface Props<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** Of the place that it takes while it loads. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/** What was read before stays while reading it again fails. */
export function Loaded<Data>({ query: { data, error, refetch }, lines = 3, children }: Props<Data>) {
  if (data !== undefined) return <>{children(data)}</>;
  if (error) return <ErrorState text={errorText(error)} onRetry={() => void refetch()} />;
  return (
    <div className="card-body">
      <SkeletonLines lines={lines} />
    </div>
  );
}
