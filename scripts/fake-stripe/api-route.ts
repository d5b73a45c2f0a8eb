// Routes of the API as values.
import type { KnownParameters, Parameters } from './parameters.js';
import type { State } from './state.js';

export interface ApiCall {
  /** Of the path; empty when it has none. */
  readonly id: string;
  readonly parameters: Parameters;
}

export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `{id}`. */
  readonly path: string;
  /** Others are 400 `parameter_unknown`. */
  readonly known: KnownParameters;
  /** Throws `ApiError`, before anything is changed. */
  readonly run: (state: State, call: ApiCall) => object;
}

/** Parameters of which the client's type knows that they exist. */
export function namesOf<Params>(...names: (keyof Params & string)[]): Partial<Record<keyof Params & string, true>> {
  const known: Partial<Record<keyof Params & string, true>> = {};
  for (const name of names) known[name] = true;
  return known;
}
