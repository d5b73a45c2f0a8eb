// Icons of a web app manifest (W3C Web Application Manifest, `icons`).
import { z } from 'zod';
import { candidateOf, loadableUrl, type IconCandidate } from './candidate.js';

const MAX_ICONS = 50;

const text = z.string().catch('');
const manifestSchema = z.object({
  icons: z.array(
    z
      .object({ src: text, sizes: text, type: text, purpose: text })
      .catch({ src: '', sizes: '', type: '', purpose: '' }),
  ),
});

/**
 * Returns the icons of a manifest, or none if the text is not a manifest. `url` is the manifest's own URL, to which the
 * URLs of icons are relative.
 */
export function readManifest(json: string, url: string): readonly IconCandidate[] {
  const { data } = manifestSchema.safeParse(parsed(json));
  return (data?.icons ?? []).slice(0, MAX_ICONS).flatMap(({ src, sizes, type, purpose }) => {
    const found = loadableUrl(src, new URL(url));
    if (found === undefined) return [];
    // Several purposes are separated by spaces.
    const isSecondary = purpose !== '' && !purpose.split(/\s+/).includes('any');
    return [candidateOf({ url: found, kind: 'manifest', type, sizes, isSecondary })];
  });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
