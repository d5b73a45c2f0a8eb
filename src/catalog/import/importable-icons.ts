// Decides which icons of a source can be imported, by their keys, licenses and drawing names.
import { decideLicense, type CatalogPolicy } from './import-policy.js';
import { variantNameOf } from '../names.js';
import { isPrintable } from '../../platform/text/printable.js';
import type { SourceIcon, SourceItem } from './catalog-sources.js';
import { isUsableKey, skipOnError, type Skip, type SkippedIcon } from './import-skips.js';
import type { LicensedIcon } from './sanitize-icons.js';

interface IconCheck {
  readonly id: string;
  readonly policy: CatalogPolicy;
  readonly skipped: SkippedIcon[];
  readonly skip: Skip;
}

/**
 * Returns the icon, or undefined if it is skipped. `keys`: keys of the source's icons so far, which must not occur
 * again.
 */
export function importableIcon(
  item: SourceItem,
  keys: ReadonlySet<string>,
  check: IconCheck,
): LicensedIcon | undefined {
  const { skip } = check;
  if (item.kind === 'skipped') skip(item.key, item.reason, item.message);
  else if (!isUsableKey(item.icon.key))
    skip(item.icon.key, 'bad-name', 'the key of the icon is empty, too long, or has control characters');
  else if (keys.has(item.icon.key)) skip(item.icon.key, 'duplicate', 'the source contains this key twice');
  else
    return skipOnError(
      () => licensedIcon(item.icon, check),
      (message) => skip(item.icon.key, 'failed', message),
    );
  return undefined;
}

function textsOf({ title, aliases, website, origin, guidelines, license }: SourceIcon): readonly string[] {
  return [
    title,
    ...aliases,
    ...[website, origin, guidelines, license.type, license.url].filter((text) => text !== null),
  ];
}

function licensedIcon(icon: SourceIcon, { id, policy, skipped, skip }: IconCheck): LicensedIcon | undefined {
  const { key } = icon;
  if (!textsOf(icon).every(isPrintable)) {
    skip(key, 'bad-name', 'the title or another text has control characters');
    return undefined;
  }
  const decision = decideLicense(policy, icon.license);
  if (decision.allowed) {
    if (icon.hidden) skip(key, 'hidden', 'the set has withdrawn this icon');
    return { ...icon, license: decision.license, drawings: withSafeNames(icon, skip) };
  }
  skipped.push(withoutLicense(id, key, decision));
  return undefined;
}

/** Converts the names of the drawings to safe names, because they become parts of URLs and headers. */
function withSafeNames({ key, drawings: given }: SourceIcon, skip: Skip): SourceIcon['drawings'] {
  const drawings = new Map<string, SourceIcon['drawings'][number]>();
  for (const drawing of given) {
    const { name: written } = drawing;
    const name = variantNameOf(written);
    if (name === undefined)
      skip(`${key}/${written}`, 'bad-name', 'the variant name has no letter or digit of a-z and 0-9');
    else if (drawings.has(name)) skip(`${key}/${written}`, 'duplicate', `there is already a variant ${name}`);
    else drawings.set(name, { ...drawing, name });
  }
  return [...drawings.values()];
}

export function withoutLicense(
  source: string,
  key: string,
  { type, because }: { readonly type: string; readonly because: string },
): SkippedIcon {
  return { source, key, reason: 'license', message: `${type}: ${because}`, license: { type, because } };
}
