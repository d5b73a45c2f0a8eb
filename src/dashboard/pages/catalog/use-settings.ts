// Settings of the URL builder, in the page's address.
import { useAddressQuery } from '../../hooks/use-address-query.js';
import { FORMATS, type Chosen, type Format } from './parameters.js';

interface Settings {
  readonly format: Format;
  readonly chosen: Chosen;
}

const INITIAL = { format: 'svg', size: '128' };

/** What is no parameter of a picture is dropped when the address of the picture is made. */
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
