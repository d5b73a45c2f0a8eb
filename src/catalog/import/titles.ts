// Titles of entries. Corrects the spelling of words, and puts the name of the vendor before the titles of its cloud
// services.
import type { CatalogPolicy } from './import-policy.js';

/** Category of a cloud service ("Azure Key Vaults"), which is a product, not a brand. */
export const CLOUD_SERVICE = 'cloud-service';

type TitlePolicy = Pick<CatalogPolicy, 'spellings' | 'vendorPrefixes'>;

/**
 * Returns the names of the cloud vendor whose prefix the slug has. Returns undefined if the slug has no vendor's
 * prefix, because it then does not name a cloud service.
 */
export function vendorOf(slug: string, { vendorPrefixes }: Pick<TitlePolicy, 'vendorPrefixes'>) {
  return Object.entries(vendorPrefixes).find(([prefix]) => slug.startsWith(prefix))?.[1];
}

/** Returns the title of an entry. "Aws S3" becomes "AWS S3". "Cloud Run" of Google Cloud becomes "Google Cloud Run". */
export function titleOf(slug: string, title: string, policy: TitlePolicy): string {
  const spelled = respell(title, policy.spellings);
  const vendor = vendorOf(slug, policy);
  return vendor === undefined ? spelled : withVendor(spelled, vendor);
}

/**
 * Corrects the spelling of words in generated titles. Changes only words of one capital followed by lower-case letters,
 * because generated titles have no other words.
 */
function respell(title: string, spellings: TitlePolicy['spellings']): string {
  return title.replace(/(?<![\p{L}\p{N}.])\p{Lu}[\p{Ll}\p{N}]+(?![\p{L}\p{N}])/gu, (word) => {
    const name = word.toLowerCase();
    return spellings.find((spelling) => spelling[0]?.toLowerCase() === name[0] && glued(spelling) === name) ?? word;
  });
}

/**
 * Returns the name in lower case without spaces and apostrophes, as in titles that were made from icon names:
 * `githubcodespaces`.
 */
function glued(spelling: string): string {
  return spelling.replaceAll(/[ ']/g, '').toLowerCase();
}

/**
 * Puts `names[0]`, the vendor's main name, before the title. Titles that already contain one of the vendor's names stay
 * unchanged. If the main name ends with the first word of the title, that word is not repeated.
 */
function withVendor(title: string, names: readonly string[]): string {
  const words = title.split(' ');
  const [name = ''] = names;
  if (names.some((each) => words.join(' ').includes(each))) return title;
  const before = name.split(' ');
  const shared = before.at(-1) === words[0] ? 1 : 0;
  return [...before, ...words.slice(shared)].join(' ');
}
