// What stands in the place of results when nothing matches: other ways to a logo.
import { Empty } from '../../components/query-states.js';
import type { SearchFilters } from '../../data/queries.js';

interface Props {
  readonly filters: SearchFilters;
  readonly onReset: () => void;
}

export function NothingFound({ filters: { q = '', ...others }, onReset }: Props) {
  const isFiltered = Object.values(others).some((value) => value !== '');
  return (
    <Empty icon="no-match" iconSize={36} title={q === '' ? 'Nothing matches' : `Nothing matches “${q}”`}>
      <p>
        {isFiltered
          ? 'There may be more without the filters.'
          : 'Try fewer letters, or the domain of the brand. Typing errors are fine.'}
      </p>
      <button type="button" className="button" onClick={onReset}>
        Clear search and filters
      </button>
    </Empty>
  );
}
