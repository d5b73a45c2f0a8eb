// Titles of entries: the spelling of their words, and the vendor's name before a part of its product.
import type { CatalogPolicy } from './import-policy.js';

/** The category of a part of a cloud ("Azure Key Vaults"), which is no brand of its own. */
export const CLOUD_SERVICE = 'cloud-service';

type TitlePolicy = Pick<CatalogPolicy, 'spellings' | 'vendorPrefixes'>;

/** Names of the vendor whose prefix the slug has; undefined: it is no part of a cloud. */
export function vendorOf(slug: string, { vendorPrefixes }: Pick<TitlePolicy, 'vendorPrefixes'>) {
  return Object.entries(vendorPrefixes).find(([prefix]) => slug.startsWith(prefix))?.[1];
}

/** "Aws S3" is "AWS S3"; "Cloud Run" of Google Cloud is "Google Cloud Run". */
export function titleOf(slug: string, title: string, policy: TitlePolicy): string {
  const spelled = respell(title, policy.spellings);
  const vendor = vendorOf(slug, policy);
  return vendor === undefined ? spelled : withVendor(spelled, vendor);
}

/** Only words in the spelling that a program gives them, one capital and lower case, are replaced. */
function respell(title: string, spellings: TitlePolicy['spellings']): string {
  return title.replace(/(?<![\p{L}\p{N}.])\p{Lu}[\p{Ll}\p{N}]+(?![\p{L}\p{N}])/gu, (word) => {
    const name = word.toLowerCase();
    return spellings.find((spelling) => spelling[0]?.toLowerCase() === name[0] && glued(spelling) === name) ?? word;
  });
}

/** As sources write a name of several words that they know by its key alone: "Githubcodespaces", "Letsencrypt". */
function glued(spelling: string): string {
  return spelling.replaceAll(/[ ']/g, '').toLowerCase();
}

/** The first name goes before the title, unless one of them is in it; words that both have stand once. */
function withVendor(title: string, names: readonly string[]): string {
  const words = title.split(' ');
  const [name = ''] = names;
  if (names.some((each) => words.join(' ').includes(each))) return title;
  const before = name.split(' ');
  const shared = before.at(-1) === words[0] ? 1 : 0;
  return [...before, ...words.slice(shared)].join(' ');
}
