// The drawings of all variants of an entry in one file. This module is loaded on demand.
import { zipSync } from 'fflate';
import { send } from '../../api/transport.js';
import { previewUrl } from '../../components/preview.js';
import type { Entry } from '../../data/queries.js';

/** Throws the errors of `send`. */
export async function variantsZip({ slug, variants }: Entry): Promise<Blob> {
  const files: Record<string, Uint8Array> = {};
  for (const { name } of variants) {
    const answer = await send(previewUrl('svg', slug, { variant: name }));
    files[name === 'default' ? `${slug}.svg` : `${slug}-${name}.svg`] = new Uint8Array(await answer.arrayBuffer());
  }
  return new Blob([zipSync(files)], { type: 'application/zip' });
}
