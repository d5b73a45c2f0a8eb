// Color logos that Blazon and the set @iconify-json/logos both have, with the set's own files for another server.
import { readFileSync, writeFileSync } from 'node:fs';
import { peersFolder } from './peers.js';

/** Longer side of the files: IPX never enlarges. */
const FILE_PX = 512;

export interface Logo {
  readonly slug: string;
  /** The longer side, so that both services draw the same number of pixels. */
  readonly longer: 'width' | 'height';
}

interface SetFile {
  readonly width?: number;
  readonly height?: number;
  readonly icons: Readonly<
    Record<string, { readonly body: string; readonly width?: number; readonly height?: number }>
  >;
}

/** At most `most` of `logos`, by slug; the set's symbol goes before its wordmark. */
export function writeLogoFiles(logos: readonly Logo[], folder: string, most: number): readonly Logo[] {
  const set = JSON.parse(readFileSync(`${peersFolder}node_modules/@iconify-json/logos/icons.json`, 'utf8')) as SetFile;
  const shared: Logo[] = [];
  for (const logo of logos) {
    const icon = set.icons[`${logo.slug}-icon`] ?? set.icons[logo.slug];
    if (icon === undefined || shared.length === most) continue;
    const [width, height] = [icon.width ?? set.width ?? 16, icon.height ?? set.height ?? 16];
    const zoom = FILE_PX / Math.max(width, height);
    writeFileSync(
      `${folder}${logo.slug}.svg`,
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
        `width="${Math.round(width * zoom)}" height="${Math.round(height * zoom)}" viewBox="0 0 ${width} ${height}">` +
        `${icon.body}</svg>`,
    );
    shared.push(logo);
  }
  return shared;
}
