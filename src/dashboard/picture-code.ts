// Code that shows a picture on a page: one URL, or one for each color scheme.

export interface PagePicture {
  readonly light: string;
  /** Undefined if it is the same as `light`. */
  readonly dark: string | undefined;
  readonly alt: string;
  /** Width in px. */
  readonly width?: string | undefined;
  readonly height?: string | undefined;
}

/** Placeholder while there is no key. */
export const NO_KEY = 'blzp_…';

/** Makes a URL readable: decodes characters that a URL may contain unencoded, and the ellipsis of `NO_KEY`. */
export function readable(address: string): string {
  return address.replaceAll('%2C', ',').replaceAll('%E2%80%A6', '…');
}

export function imageHtml({ light, alt, ...size }: Omit<PagePicture, 'dark'>): string {
  return `<img src="${attribute(light)}"${sizeAttributes(size)} alt="${attribute(alt)}" />`;
}

export function pictureHtml({ dark, ...picture }: PagePicture): string {
  if (dark === undefined) return imageHtml(picture);
  return [
    '<picture>',
    `  <source media="(prefers-color-scheme: dark)" srcset="${attribute(dark)}" />`,
    `  ${imageHtml(picture)}`,
    '</picture>',
  ].join('\n');
}

/** Returns Markdown. Of two pictures, GitHub shows only the one for the theme of its page. */
export function pictureMarkdown({ light, dark, alt }: PagePicture): string {
  const picture = (address: string) => `![${alt.replaceAll(/[[\]\\]/g, (sign) => `\\${sign}`)}](${address})`;
  if (dark === undefined) return picture(light);
  return [picture(`${light}#gh-light-mode-only`), picture(`${dark}#gh-dark-mode-only`)].join('\n');
}

export function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

export function sizeAttributes({ width, height }: Pick<PagePicture, 'width' | 'height'>): string {
  const given = Object.entries({ width, height }).filter(([, value]) => value !== undefined);
  return given.map(([name, value]) => ` ${name}="${value ?? ''}"`).join('');
}
