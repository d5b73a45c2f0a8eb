// Filters of the catalog: category, license, variant, color.
import type { SearchFilters, SearchPage, SearchResult } from '../data/queries.js';
import { Icon } from '../components/icon.js';

interface Props {
  readonly filters: SearchFilters;
  readonly onChange: (changed: SearchFilters) => void;
  readonly facets: SearchPage['facets'] | undefined;
  readonly results: readonly SearchResult[];
}

interface Option {
  readonly value: string;
  readonly text: string;
}

export function FilterBar({ filters, onChange, facets, results }: Props) {
  const { category = '', license = '', variant = '', color = '' } = filters;
  const variants = [...new Set(results.flatMap((result) => result.variants))].sort();
  return (
    <div className="filters" role="group" aria-label="Filters">
      <Filter
        label="Category"
        value={category}
        options={counted(facets?.category)}
        onValue={(value) => onChange({ category: value })}
      />
      <Filter
        label="License"
        value={license}
        options={counted(facets?.license)}
        onValue={(value) => onChange({ license: value })}
      />
      <Filter
        label="Variant"
        value={variant}
        options={variants.map((value) => ({ value, text: value }))}
        onValue={(value) => onChange({ variant: value })}
      />
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

function counted(facet: SearchPage['facets']['category'] = []): readonly Option[] {
  return facet.map(({ value, count }) => ({ value, text: `${value} (${count})` }));
}

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onValue: (value: string) => void;
}

/** The chosen value is among the options even where nothing matches it. */
function Filter({ label, value, options, onValue }: FilterProps) {
  const id = `filter-${label.toLowerCase()}`;
  const isListed = value === '' || options.some((option) => option.value === value);
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input small" value={value} onChange={(event) => onValue(event.target.value)}>
        <option value="">All</option>
        {!isListed && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
