// Names that every JavaScript object inherits, such as `constructor`. The tests use them as names of icons, drawings,
// elements, attributes, properties and brands.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readCatalogConfig } from '../../config/catalog.js';
import { openIconifySets } from '../../src/catalog/sources/iconify.js';
import { readModule } from '../../src/catalog/sources/thesvg.js';
import { parseHost } from '../../src/platform/web/host-name.js';
import { collectBrandClaims } from '../../src/search/brand-index.js';
import { brandEntry } from '../../src/catalog/import/build-entry.js';
import { groupBrands } from '../../src/catalog/import/group-brands.js';
import { decideLicense } from '../../src/catalog/import/import-policy.js';
import { parseColor } from '../../src/platform/text/color.js';
import type { SourceItem } from '../../src/catalog/import/catalog-sources.js';
import { sanitizeSvg } from '../../workers/sanitize/sanitize-svg.js';
import { candidateOf, someEntry, sourceOf, variantNamed } from '../support/entries.js';
import { INHERITED_NAMES } from '../support/inherited-names.js';
import { temporaryDir } from '../support/temporary.js';

const policy = { ...readCatalogConfig(), hosts: {} };
const SQUARE = 'd="M0 0h24v24H0z"';

/**
 * Functions that return a drawing. Each function puts `name` in a place where the sanitizer looks up names in a table.
 * Each drawing shows a red or black square.
 */
const DRAWINGS: Readonly<Record<string, (name: string) => string>> = {
  'an element': (name) => `<${name}/><path ${SQUARE}/>`,
  'an attribute': (name) => `<path ${name}="x" fill="#f00" ${SQUARE}/>`,
  'a property': (name) => `<path style="${name}:red" ${SQUARE}/>`,
  'a selector': (name) =>
    `<style>${name}{fill:red} .${name}{fill:red} #${name}{${name}:red}</style><path class="${name}" id="${name}" ${SQUARE}/>`,
  'an attribute beside CSS': (name) => `<style>.a{fill:red}</style><path ${name}="1" class="a" ${SQUARE}/>`,
  'a color': (name) => `<path fill="${name}" ${SQUARE}/>`,
  'a color function': (name) => `<path fill="${name}(1,2,3)" ${SQUARE}/>`,
  'a color profile': (name) => `<path fill="color(${name} 1 0 0)" ${SQUARE}/>`,
  'a transform': (name) => `<path transform="${name}(1)" ${SQUARE}/>`,
  'an origin': (name) => `<path transform="scale(1)" transform-origin="${name}" ${SQUARE}/>`,
  'a prefix': (name) => `<g xmlns:${name}="urn:x"><${name}:a/><path ${SQUARE}/></g>`,
  'an id': (name) =>
    `<linearGradient id="${name}"><stop stop-color="red"/></linearGradient><path fill="url(#${name})" ${SQUARE}/>`,
  'a filter input': (name) =>
    `<filter id="f"><feOffset in="${name}" result="${name}"/></filter><path filter="url(#f)" ${SQUARE}/>`,
};

describe('names that every object inherits', () => {
  for (const name of INHERITED_NAMES) {
    for (const [place, inside] of Object.entries(DRAWINGS)) {
      it(`${name} as ${place} of a drawing is an ordinary name`, () => {
        const outcome = sanitizeSvg(
          `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${inside(name)}</svg>`,
        );
        expect(outcome, JSON.stringify(outcome)).to.include({ ok: true });
        expect(JSON.stringify(outcome)).to.not.match(/native code|\[object|undefined/);
      });
    }

    it(`${name} as an attribute of the root does not affect others`, () => {
      const outcome = sanitizeSvg(
        `<svg ${name}="1" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 24"><path ${SQUARE}/></svg>`,
      );
      expect(outcome).to.include({ ok: true, width: 48 });
    });

    it(`${name} as a drawing, a slug, a key and a license makes an ordinary entry`, () => {
      const key = name.toLowerCase();
      const candidate = candidateOf(key, { title: name, variants: [variantNamed('default'), variantNamed(name)] });
      const [brand] = groupBrands([{ candidate, source: sourceOf('package:test') }], policy);
      const entry = brand && brandEntry(brand, policy, () => 0)?.entry;
      if (brand) {
        expect(entry).to.deep.include({ aliases: [], domains: [] });
        expect(entry?.variants.map((variant) => variant.name)).to.deep.equal(['default', name]);
      } else expect(name, 'only a name that is no slug has no entry').to.match(/^_/);
      expect(decideLicense(policy, { type: name, url: null })).to.deep.include({ allowed: false, type: name });
    });

    it(`${name} as an exported name or a property of a module is data`, () => {
      const text = `export const ${name} = { slug: "a" }; export const title = "A"; export const variants = { default: "<svg/>", "${name}": "<svg/>" };`;
      expect(readModule('a.js', text)).to.include({ kind: 'skipped', reason: 'no-icon' });
    });

    it(`${name} as a host belongs to nobody unless a brand has it`, () => {
      const claims = collectBrandClaims({ hosts: {}, everywhere: [], hosting: [] });
      const domain = `${name.replaceAll('_', '')}.com`;
      claims.add(someEntry('acme', { website: `https://${domain}`, domain }));
      const brands = claims.finish(() => 0);
      for (const text of [name, `a.${name}`, `${name}.org`, `${name}.com`]) {
        const host = parseHost(text);
        if (host.kind === 'host') expect(brands.owner(host)?.slug, text).to.equal(text === domain ? 'acme' : undefined);
      }
      expect(parseColor(name)).to.equal(undefined);
    });
  }

  it('are ordinary names of icons, parents, aliases and categories of an Iconify set', async () => {
    const { path, remove } = temporaryDir();
    const body = `<path ${SQUARE}/>`;
    // The JSON is built as text, because `__proto__` in an object literal would set the object's prototype.
    const table = (value: (name: string) => string) =>
      `{${INHERITED_NAMES.map((name) => `"${name}":${value(name)}`).join(',')}}`;
    const icons = table(() => JSON.stringify({ body }));
    const file = join(path, 'set.json');
    writeFileSync(
      file,
      `{"prefix":"constructor","width":24,"height":24,"icons":${icons},"aliases":{"valueOf2":{"parent":"valueOf"},"nobody":{"parent":"propertyIsEnumerable"}},"categories":{"toString":["constructor"]}}`,
    );
    const items: SourceItem[] = [];
    for await (const source of await openIconifySets(file, { kind: 'set' })) {
      if ('unreadable' in source) throw new Error(source.message);
      expect(source.id).to.equal('iconify:constructor');
      for await (const item of source.items()) items.push(item);
    }
    const found = new Map(items.flatMap((item) => (item.kind === 'icon' ? [[item.icon.key, item.icon] as const] : [])));
    expect([...found.keys()]).to.have.members([...INHERITED_NAMES]);
    expect(found.get('valueOf')?.aliases).to.deep.equal(['valueOf2']);
    expect(found.get('constructor')?.categories).to.deep.equal(['toString']);
    expect(items.flatMap((item) => (item.kind === 'skipped' ? [item.key] : []))).to.deep.equal(['nobody']);
    remove();
  });
});
