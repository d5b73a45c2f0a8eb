// The last resort for errors of a page: a file that failed to load, or a bug.
import { Component, type ReactNode } from 'react';
import { ErrorState } from './query-states.js';

interface Props {
  readonly children: ReactNode;
}

export class ErrorBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    // The usual cause: after an update, the page requests a file of the previous release, which no longer exists.
    return (
      <div className="page">
        <ErrorState
          error="A part of this page could not be loaded. If you are online, there may be a new version: reload the page."
          onRetry={() => location.reload()}
        />
      </div>
    );
  }
}
