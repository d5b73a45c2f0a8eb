// Settings of the URL builder, stored in the URL of the page.
import { useAddressQuery } from '../../hooks/use-address-query.js';
import { FORMATS, type Chosen, type Format } from './parameters.js';

interface Settings {
  readonly format: Format;
  readonly chosen: Chosen;
}

const INITIAL = { format: 'svg', size: '128' };

/** Settings that are not parameters are dropped when the URL of the picture is built. */
export function useSettings(): readonly [Settings, (changed: Partial<Settings>) => void] {
  const [query, setQuery] = useAddressQuery(INITIAL);
  const { format: given, ...chosen } = query;
  const settings: Settings = { format: FORMATS.find((each) => each === given) ?? 'svg', chosen };
  const change = (changed: Partial<Settings>): void => {
    const next = { ...settings, ...changed };
    setQuery({ format: next.format, ...next.chosen });
  };
  return [settings, change];
}
