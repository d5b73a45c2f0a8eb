// Website icons, as browsers and home screens expect them: the names of the files, and how each file shows the entry's
// symbol.
import type { Background, Entry, Variant } from '../catalog/entry.js';
import { PAGES } from '../catalog/drawing.js';
import { WHITE, cssHex, contrasting, type Color } from '../platform/text/color.js';
import { pictureRequest, type PictureRequest } from './picture-request.js';
import { symbolVariant } from './symbol-variant.js';

/** Sides of the pictures in `favicon.ico`, px. */
export const ICO_SIDES = [16, 32, 48] as const;

/** Files that contain one PNG picture. */
export const FAVICON_PNGS = {
  'apple-touch-icon.png': { side: 180, kind: 'home screen' },
  'icon-192.png': { side: 192, kind: 'tab' },
  'icon-512.png': { side: 512, kind: 'tab' },
  'icon-mask.png': { side: 512, kind: 'mask' },
} as const;

/** Files in `favicon.zip`. */
export const SET_FILES = [
  'favicon.ico',
  'icon.svg',
  ...(Object.keys(FAVICON_PNGS) as (keyof typeof FAVICON_PNGS)[]),
  'manifest.webmanifest',
  'head.html',
] as const;
export const FAVICON_FILES = [...SET_FILES, 'favicon.zip'] as const;
export type FaviconFile = (typeof FAVICON_FILES)[number];

/**
 * Where an icon is shown. `tab`: no background, as large as possible. `home screen`: with a background, because home
 * screens show transparency as black. `mask`: with a background, and the whole drawing in the safe zone.
 */
type FaviconKind = (typeof FAVICON_PNGS)[keyof typeof FAVICON_PNGS]['kind'];

/** Distance of the drawing from the edge of the background, in percent of the side. */
const PADDING = { ground: 12, 'home screen': 14 } as const;
/**
 * Diameter of the circle that every mask leaves visible, as a share of the side (Web App Manifest, "Icon masks and safe
 * zone").
 */
const SAFE_ZONE = 0.8;

export interface FaviconOptions {
  /** Name of the variant. If null, the variant that is clearest at a small size is used. */
  readonly variant: string | null;
  /**
   * Background on which the icon is shown. If null, it follows from the brightness of the color `background`. If both
   * are null, a light background is assumed.
   */
  readonly on: Background | null;
  readonly color: Color | 'brand' | null;
  /**
   * Opaque background color. If null, icons for tabs have no background, and icons for home screens get the background
   * color of a light or dark page.
   */
  readonly background: Color | null;
}

/** Returns `light` or `dark`: the kind of page for which the icon is made. */
export function faviconPage({ on, background }: FaviconOptions): Background {
  return on ?? (background !== null && contrasting(background) === WHITE ? 'dark' : 'light');
}

function faviconGround(options: FaviconOptions): Color {
  return options.background ?? PAGES[faviconPage(options)];
}

/**
 * Returns the picture request for a file. `drawn`: variant that the picture shows. The shape of `drawn` determines the
 * padding of a masked icon. If `drawn` is undefined, a square is assumed.
 */
export function faviconRequest(
  entry: Entry,
  options: FaviconOptions,
  { kind, side, drawn }: { readonly kind: FaviconKind; readonly side: number; readonly drawn?: Variant },
): PictureRequest {
  const isTab = kind === 'tab';
  const background = isTab ? options.background : faviconGround(options);
  const padding = isTab
    ? background === null
      ? 0
      : PADDING.ground
    : kind === 'mask'
      ? maskPadding(drawn)
      : PADDING[kind];
  return pictureRequest('png', {
    variant: options.variant ?? symbolVariant(entry) ?? undefined,
    on: faviconPage(options),
    color: options.color ?? undefined,
    size: side,
    trim: 1,
    padding,
    background: background ?? undefined,
  });
}

/**
 * Returns the padding in percent of the side. With this padding, the corners of the drawing's visible box touch the
 * edge of the safe zone.
 */
function maskPadding(drawn: Variant | undefined): number {
  const [, , width, height] = drawn?.ink ?? [0, 0, drawn?.width ?? 1, drawn?.height ?? 1];
  const longer = (SAFE_ZONE * Math.max(width, height)) / Math.hypot(width, height);
  return (100 * (1 - longer)) / 2;
}

/** HTML for the head of each page, if the files are in the root folder of the website. */
export const FAVICON_HTML = [
  '<link rel="icon" href="/favicon.ico" sizes="32x32">',
  '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
  '<link rel="manifest" href="/manifest.webmanifest">',
  '',
].join('\n');

/**
 * Returns the web app manifest. `search`: query that is appended to the URLs of its icons. The icons are in the folder
 * of the manifest.
 */
export function faviconManifest({ title, hex }: Entry, options: FaviconOptions, search = ''): string {
  const icon = (name: keyof typeof FAVICON_PNGS, purpose?: 'maskable') => {
    const { side } = FAVICON_PNGS[name];
    return { src: `${name}${search}`, type: 'image/png', sizes: `${side}x${side}`, ...(purpose && { purpose }) };
  };
  const ground = cssHex(faviconGround(options));
  const manifest = {
    name: title,
    short_name: title,
    start_url: '/',
    display: 'standalone',
    theme_color: hex?.toLowerCase() ?? ground,
    background_color: ground,
    icons: [icon('icon-192.png'), icon('icon-512.png'), icon('icon-mask.png', 'maskable')],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
