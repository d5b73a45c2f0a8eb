// Pages of checkout sessions and of the customer portal, for people who try the fake in a browser.
import type { ServerResponse } from 'node:http';
import type { State } from './state.js';

export function createPages(
  state: State,
): (request: { method: string; path: string }, response: ServerResponse) => boolean {
  return () => state.base === '';
}
