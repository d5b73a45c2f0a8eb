// Settings of the shown picture, stored in the URL of the page.
import { useAddressQuery } from '../../hooks/use-address-query.js';
import { useTheme } from '../../theme.js';
import { FORMATS, type Chosen, type Format } from './parameters.js';

/** Page background on which the picture is shown. On `transparent`, the picture doesn't adapt to its page. */
export const GROUNDS = ['light', 'dark', 'transparent'] as const;
export type Ground = (typeof GROUNDS)[number];

export interface Settings {
  readonly format: Format;
  readonly ground: Ground;
  /** Chosen value of each parameter, except the parameter `on`: `ground` replaces it. */
  readonly chosen: Chosen;
}

const INITIAL = { format: 'svg', size: '256' };

/**
 * Returns the settings, a function that changes them, and a function that resets them. Until the visitor chooses a page
 * background, the background follows the theme. `chosen` may contain fields that are not parameters; `queryOf` drops
 * them.
 */
export function useSettings(): readonly [Settings, (changed: Partial<Settings>) => void, () => void] {
  const theme = useTheme();
  const [query, setQuery] = useAddressQuery(INITIAL);
  const { format: given, on, ...chosen } = query;
  const settings: Settings = {
    format: FORMATS.find((each) => each === given) ?? 'svg',
    ground: GROUNDS.find((each) => each === on) ?? theme,
    chosen,
  };
  const change = (changed: Partial<Settings>): void => {
    const next = { ...settings, ...changed };
    const isGroundChosen = on !== undefined || changed.ground !== undefined;
    setQuery({ format: next.format, ...next.chosen, ...(isGroundChosen && { on: next.ground }) });
  };
  return [settings, change, () => setQuery({ ...INITIAL, format: settings.format })];
}

/**
 * Returns the chosen parameters, with `on` set to the page background. `on` is empty if the background is transparent,
 * or if a chosen color makes the picture the same on every page.
 */
export function withGround({ ground, chosen }: Settings): Chosen {
  const isEqualEverywhere = [chosen.color, chosen.background].some((value = '') => value.trim() !== '');
  return { ...chosen, on: isEqualEverywhere || ground === 'transparent' ? '' : ground };
}
