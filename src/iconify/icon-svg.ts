// Makes SVG documents of icons, with the options of the Iconify protocol.
import { flipFromString } from '@iconify/utils/lib/customisations/flip';
import { rotateFromString } from '@iconify/utils/lib/customisations/rotate';
import { mergeIconData } from '@iconify/utils/lib/icon/merge';
import { iconToSVG } from '@iconify/utils/lib/svg/build';
import { iconToHTML } from '@iconify/utils/lib/svg/html';
import type { IconProps } from '../catalog/set-icon.js';

/** Options as written in the request. Their syntax was already checked. */
export interface SvgOptions {
  readonly width: string | undefined;
  readonly height: string | undefined;
  readonly rotate: string | undefined;
  readonly flip: string | undefined;
  /** CSS color that replaces `currentColor`. */
  readonly color: string | undefined;
  /** If true, adds an invisible rectangle as large as the icon. */
  readonly box: boolean;
}

interface IconParts {
  /** Box (position and size) of icons that don't state their own box. */
  readonly box: IconProps;
  readonly icon: IconProps & { readonly body: string };
  /**
   * Properties of the aliases between the requested name and the icon. The alias that refers directly to the icon is
   * first.
   */
  readonly aliases: readonly IconProps[];
}

/** Width and height of an icon if neither the icon nor its set states them, as in Iconify. */
const USUAL_SIDE = 16;

export function iconSvg({ box: common, icon, aliases }: IconParts, options: SvgOptions): string {
  const own = aliases.reduce<IconParts['icon']>((data, alias) => mergeIconData(data, alias), icon);
  const data = mergeIconData(common, own) as IconParts['icon'];
  const customized = {
    width: options.width ?? null,
    height: options.height ?? null,
    rotate: options.rotate === undefined ? 0 : rotateFromString(options.rotate, 0),
  };
  if (options.flip !== undefined) flipFromString(customized, options.flip);
  const { attributes, body } = iconToSVG(data, customized);
  const { left = 0, top = 0, width = USUAL_SIDE, height = USUAL_SIDE } = data;
  const frame = `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="rgba(255, 255, 255, 0)" />`;
  const svg = iconToHTML(options.box ? frame + body : body, attributes);
  return options.color === undefined ? svg : svg.replaceAll('currentColor', options.color);
}
