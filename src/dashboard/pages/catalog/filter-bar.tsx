// Filters of the catalog: category, license, variant, color.
import { Icon } from '../../components/icon.js';
import { Select } from '../../components/select.js';
import type { SearchFilters, SearchPage, SearchResult } from '../../data/queries.js';

interface Props {
  readonly filters: SearchFilters;
  readonly onChange: (changed: SearchFilters) => void;
  readonly facets: SearchPage['facets'] | undefined;
  readonly results: readonly SearchResult[];
}

export function FilterBar({ filters, onChange, facets, results }: Props) {
  const { color = '' } = filters;
  const variants = [...new Set(results.flatMap((result) => result.variants))].sort();
  const options = {
    category: counted(facets?.category),
    license: counted(facets?.license),
    variant: variants.map((name) => [name, name] as const),
  };
  return (
    <div className="filters" role="group" aria-label="Filters">
      {(['category', 'license', 'variant'] as const).map((name) => (
        <Filter
          key={name}
          name={name}
          value={filters[name] ?? ''}
          options={options[name]}
          onValue={(value) => onChange({ [name]: value })}
        />
      ))}
      <div className="filter-color">
        <label htmlFor="filter-color">Color</label>
        <input
          id="filter-color"
          type="color"
          value={color === '' ? '#808080' : `#${color}`}
          data-empty={color === ''}
          onChange={(event) => onChange({ color: event.target.value.slice(1) })}
        />
        {color !== '' && (
          <>
            <code>#{color}</code>
            <button
              type="button"
              className="icon-button"
              aria-label="Clear color"
              onClick={() => onChange({ color: '' })}
            >
              <Icon name="close" size={15} />
            </button>
          </>
        )}
      </div>
    </div>
  );
}

type Option = readonly [value: string, text: string];

function counted(facet: SearchPage['facets']['category'] = []): readonly Option[] {
  return facet.map(({ value, count }) => [value, `${value} (${count})`]);
}

interface FilterProps {
  readonly name: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onValue: (value: string) => void;
}

/** The chosen value is always among the options, even if nothing matches it. */
function Filter({ name, value, options, onValue }: FilterProps) {
  const id = `filter-${name}`;
  const isListed = value === '' || options.some(([each]) => each === value);
  const unlisted: readonly Option[] = isListed ? [] : [[value, value]];
  return (
    <div className="filter">
      <label htmlFor={id}>{name.charAt(0).toUpperCase() + name.slice(1)}</label>
      <Select id={id} value={value} onValue={onValue} options={[['', 'All'], ...unlisted, ...options]} />
    </div>
  );
}
