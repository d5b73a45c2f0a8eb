// Parameters of the Iconify routes.
import { z } from 'zod';
import { COLOR_NAMES } from '../platform/text/color.js';
import { ICON_NAME_PATTERN } from './icon-name.js';
import { parameter, patternParameter, type ParameterText } from '../platform/web/query-parameter.js';

const MAX_ICONS = 100;
const MAX_NAME_CHARACTERS = 100;
const MAX_PREFIXES = 100;
const NAME_RULE = `words of a-z and 0-9 separated by "-", at most ${MAX_NAME_CHARACTERS} characters`;

const iconName = z
  .string()
  .regex(ICON_NAME_PATTERN, { error: 'not a valid Iconify name' })
  .max(MAX_NAME_CHARACTERS, { error: 'too long' });

export const prefixInPath = iconName.meta({
  description: '`blazon`, `blazon-{variant}`, or the prefix of an Iconify set that was imported or merged into brands.',
  allowed: NAME_RULE,
  example: 'blazon',
});
export const nameInPath = iconName.meta({
  description: 'Name or alias of an icon.',
  allowed: NAME_RULE,
  example: 'github',
});

export const iconsParameter = parameter<readonly string[]>({
  description: 'Icon names, separated by commas. Each existing icon counts.',
  allowed: `1 to ${MAX_ICONS} names, separated by commas`,
  schema: { type: 'string', minLength: 1 },
  example: 'github,docker',
  tryIt: 'github,docker',
  read: (text) => {
    if (text === '') return { ok: false, reason: 'empty' };
    const names = text.split(',');
    return names.length > MAX_ICONS
      ? { ok: false, reason: `more than ${MAX_ICONS} icons` }
      : { ok: true, value: names };
  },
});

const PREFIX_OR_BEGINNING = /^[a-z0-9]+(?:-[a-z0-9]+)*-?$/;

export const prefixesParameter = parameter<readonly string[]>({
  description: 'Prefixes, separated by commas. A prefix that ends with "-" matches all prefixes that start with it.',
  allowed: `1 to ${MAX_PREFIXES} prefixes, separated by commas`,
  schema: { type: 'string', pattern: '^[a-z0-9-]+(?:,[a-z0-9-]+)*$' },
  example: 'blazon,mdi-',
  read: (text) => {
    const prefixes = text.split(',');
    if (prefixes.length > MAX_PREFIXES) return { ok: false, reason: `more than ${MAX_PREFIXES} prefixes` };
    return prefixes.every((prefix) => PREFIX_OR_BEGINNING.test(prefix) && prefix.length <= MAX_NAME_CHARACTERS)
      ? { ok: true, value: prefixes }
      : { ok: false, reason: 'not a list of prefixes' };
  },
});

export function prefixParameter(text: Partial<ParameterText> = {}) {
  return patternParameter(/^(?=.{1,100}$)[a-z0-9]+(?:-[a-z0-9]+)*$/, {
    description: 'Prefix of a set.',
    allowed: NAME_RULE,
    example: 'blazon',
    ...text,
  });
}

/**
 * Creates an on/off parameter. Both allowed values, `1` and `true`, turn it on, as in Iconify's API. Without the
 * parameter, it is off.
 */
export function flagParameter(description: string) {
  return parameter<'1' | 'true'>({
    description,
    allowed: ['1', 'true'],
    schema: { type: 'string', enum: ['1', 'true'] },
    read: (text) =>
      text === '1' || text === 'true'
        ? { ok: true, value: text }
        : { ok: false, reason: 'not one of the allowed values' },
  });
}

export const prettyParameter = flagParameter('Formats the JSON with line breaks.');

export function sizeParameter(side: string) {
  return patternParameter(/^(?:auto|none|unset|(?:0|[1-9][0-9]{0,4})(?:\.[0-9]{1,4})?(?:px|em|rem|ex|pt|vw|vh|%)?)$/, {
    description:
      `${side} of the picture. \`auto\` uses the size of the drawing, \`none\` omits the attribute. ` +
      'Default: a height of 1em.',
    allowed:
      'auto, none, unset, or a number with at most five digits before the decimal point and an optional unit ' +
      '(px, em, rem, ex, pt, vw, vh, %)',
    example: '24',
  });
}

/**
 * Matches CSS color functions without quotes, so that the text can't end the attribute in which the color is written.
 */
const FUNCTION = /^(?:rgb|rgba|hsl|hsla)\([0-9.,%/ deg]{1,40}\)$/i;
const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const NAMES = new Set(COLOR_NAMES);

export const svgColorParameter = parameter<string>({
  description: 'Color that replaces `currentColor`, if the drawing uses it.',
  allowed: ['hex with "#" (%23 in a URL)', 'a CSS color name', 'rgb(…) or hsl(…)', 'currentColor'],
  schema: { type: 'string', maxLength: 50 },
  example: '#1d9bf0',
  read: (text) => {
    const lower = text.toLowerCase();
    return HEX.test(text) || FUNCTION.test(text) || NAMES.has(lower) || lower === 'currentcolor'
      ? { ok: true, value: text }
      : { ok: false, reason: 'not a color' };
  },
});

export const flipParameter = patternParameter(/^(?:horizontal|vertical)(?:,(?:horizontal|vertical))?$/, {
  description: 'Mirrors the drawing.',
  allowed: 'horizontal, vertical, or both separated by a comma',
  example: 'horizontal',
});

export const rotateParameter = patternParameter(/^(?:-?[0-3]|-?(?:0|90|180|270)deg|-?(?:0|25|50|75)%)$/, {
  description: 'Rotates the drawing clockwise.',
  allowed: '0 to 3 quarter turns, 0deg, 90deg, 180deg, 270deg, 0%, 25%, 50% or 75%',
  example: '90deg',
});
