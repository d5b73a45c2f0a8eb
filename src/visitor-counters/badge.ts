// Badges of visitor counters: their parameters, the SVG (made by shields' own package), and the JSON for shields'
// endpoint badge.
import { makeBadge } from 'badge-maker';
import { z } from 'zod';
import { alphaOf, cssHex, type Color } from '../platform/text/color.js';
import { CONTROLS } from '../platform/text/printable.js';
import { colorParameter, enumParameter, patternParameter } from '../platform/web/query-parameter.js';

const MAX_LABEL_CHARACTERS = 100;
export const LABEL_PATTERN = new RegExp(`^[^${CONTROLS}]{0,${MAX_LABEL_CHARACTERS}}$`, 'u');
export const LABEL_RULE = `at most ${MAX_LABEL_CHARACTERS} characters without control characters`;
export const DEFAULT_LABEL = 'visitors';

const STYLES = ['flat', 'flat-square'] as const;
const COUNTS = ['total', 'today', 'unique'] as const;
/** Name of shields' default green. CSS doesn't know this name. */
const BRIGHT_GREEN = 'brightgreen';

const LOOKS = {
  label: patternParameter(LABEL_PATTERN, {
    description: 'Text in the left half; may be empty. Default: the label of the counter.',
    allowed: LABEL_RULE,
    example: 'visitors',
  }),
  color: colorParameter([BRIGHT_GREEN], {
    absent: BRIGHT_GREEN,
    description: 'Color of the right half.',
    example: '1d9bf0',
  }),
  labelColor: colorParameter([BRIGHT_GREEN], {
    description: 'Color of the left half. Default: dark gray.',
    example: '333',
  }),
  style: enumParameter(STYLES, { absent: 'flat', description: 'Shape of the badge.', example: 'flat-square' }),
  count: enumParameter(COUNTS, {
    absent: 'total',
    description:
      'Number to show: all visits (`total`), visits of the UTC day (`today`), or distinct visitors of the UTC day ' +
      '(`unique`).',
    example: 'today',
  }),
};

export const badgeDataQuery = z.strictObject(LOOKS);
export const badgeQuery = z.strictObject({
  ...LOOKS,
  hit: enumParameter([0, 1], { absent: 1, description: '`0` shows the number without counting a visit.', example: 0 }),
});

type BadgeLooks = z.output<typeof badgeDataQuery>;

interface CountedVisits {
  readonly total: number;
  readonly today: number;
  readonly uniqueToday: number;
  readonly label: string;
}

const numberText = new Intl.NumberFormat('en-US');

/** Returns the badge as data for shields.io/badges/endpoint-badge. */
export function badgeData(looks: BadgeLooks, visits: CountedVisits) {
  return { schemaVersion: 1, ...badgeOf(looks, visits) } as const;
}

/** Returns the badge as a well-formed SVG document, 20 px high. */
export function badgeSvg(looks: BadgeLooks, visits: CountedVisits): string {
  return makeBadge(badgeOf(looks, visits));
}

function badgeOf(looks: BadgeLooks, visits: CountedVisits) {
  const { label = visits.label, color = BRIGHT_GREEN, labelColor, style = 'flat', count = 'total' } = looks;
  const { total, today, uniqueToday: unique } = visits;
  return {
    label,
    message: numberText.format({ total, today, unique }[count]),
    color: colorText(color),
    ...(labelColor !== undefined && { labelColor: colorText(labelColor) }),
    style,
  };
}

function colorText(color: Color | typeof BRIGHT_GREEN): string {
  if (color === BRIGHT_GREEN) return color;
  return alphaOf(color) === 255 ? cssHex(color) : `#${color}`;
}
