// Icon sources of an import. An import opens them before it opens or creates a database, so that it creates none if
// the path of a source is wrong.
import { readCatalogConfig, type CatalogConfig } from '../../../config/catalog.js';
import { openCardog } from './cardog.js';
import { openIconifyPackage } from './iconify.js';
import { openLobehub } from './lobehub.js';
import { openSimpleIcons } from './simple-icons.js';
import { openThesvg } from './thesvg.js';
import { unreadablePackage } from './unreadable-source.js';
import type { IconSource } from '../import/catalog-sources.js';

export { openIconifySets } from './iconify.js';
export { openSvgFolder } from './svg-folder.js';

type PackageName = CatalogConfig['packages'][number];

const PACKAGES: Readonly<Record<PackageName, () => Promise<IconSource>>> = {
  'simple-icons': openSimpleIcons,
  '@thesvg/icons': openThesvg,
  '@iconify-json/logos': () => openIconifyPackage('@iconify-json/logos', { kind: 'brands' }),
  // Omits the wordmarks, which are half of the set. They are lockups (symbol and name in one drawing), and other
  // packages contain them as well.
  '@iconify-json/devicon': () =>
    openIconifyPackage('@iconify-json/devicon', { kind: 'brands', leaveOut: /-wordmark$/ }),
  '@lobehub/icons-static-svg': openLobehub,
  '@cardog-icons/core': openCardog,
};

/**
 * Opens installed packages. Default: the packages of config/catalog.json. Rejects with an AppError for an unreadable
 * package.
 */
export function openPackages(names: readonly PackageName[] = readCatalogConfig().packages): Promise<IconSource[]> {
  const open = (name: PackageName): Promise<IconSource> =>
    PACKAGES[name]().catch((error: unknown) => {
      throw unreadablePackage(name, error);
    });
  return Promise.all(names.map(open));
}
