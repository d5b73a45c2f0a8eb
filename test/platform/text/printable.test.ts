// Control characters: no input may bring them into a name, and they must not appear in a picture or in code.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { z } from 'zod';
import { readCatalogConfig } from '../../../config/catalog.js';
import { openIconifySets } from '../../../src/catalog/sources/iconify.js';
import type { Slug } from '../../../src/catalog/entry.js';
import { sidecarSchemaOf } from '../../../src/catalog/svg-files.js';
import { projectFile } from '../../../src/pictures/project-code.js';
import { composeStrip, TILE_COLORS, TILE_INSETS } from '../../../src/pictures/strip.js';
import { parseHost } from '../../../src/platform/web/host-name.js';
import { textParameter } from '../../../src/platform/web/query-parameter.js';
import { factsBody } from '../../../src/own-brands/fields.routes.js';
import type { SourceIcon } from '../../../src/catalog/import/catalog-sources.js';
import { importableIcon } from '../../../src/catalog/import/importable-icons.js';
import type { SkippedIcon } from '../../../src/catalog/import/import-skips.js';
import { all } from '../../support/catalog-imports.js';
import { temporaryDir } from '../../support/temporary.js';

const character = (code: number): string => String.fromCharCode(code);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => character(from + at));
/**
 * C0, DEL, C1, and characters that XML forbids. The two surrogates are not adjacent, because together they would be one
 * character.
 */
const CONTROLS = ['\udfff', ...range(0, 0x1f), ...range(0x7f, 0x9f), '\ufffe', '\uffff', '\ud800'];
const NAMED = CONTROLS.map((control) => [`U+${control.charCodeAt(0).toString(16)}`, `Ac${control}me`] as const);

const icon: SourceIcon = {
  ...{ key: 'acme', title: 'Acme', titleGuessed: false, aliases: [], categories: [], hex: null, website: null },
  ...{ origin: null, guidelines: null, license: { type: 'MIT', url: null }, drawings: [] },
};

describe('control characters', () => {
  it('are rejected in titles and aliases of JSON files, and in all names of own brands', () => {
    const sidecar = sidecarSchemaOf(() => true, { domains: 9, aliases: 9, categories: 9, variants: 9 });
    for (const [name, text] of NAMED) {
      for (const facts of [{ title: text }, { aliases: [text] }, { categories: [text] }])
        expect(sidecar.safeParse(facts).success, `${name} ${Object.keys(facts).join()}`).to.equal(false);
      const wrong = [{ title: text }, { aliases: [text] }, { categories: [text] }, { domains: [`${text}.corp`] }];
      for (const facts of [...wrong, { links: { website: `https://acme.example/${text}` } }])
        expect(factsBody.safeParse({ title: 'Acme', ...facts }).success, `${name} ${JSON.stringify(facts)}`).to.equal(
          false,
        );
    }
    expect(sidecar.safeParse({ title: 'Ácme 黒 🤗', aliases: ['A'] }).success).to.equal(true);
  });

  it('are rejected in search texts and hosts', () => {
    const parameter = textParameter(100, { description: '' });
    const pattern = new RegExp(
      (
        z.toJSONSchema(z.object({ q: parameter }), { io: 'input' }) as never as {
          properties: { q: { pattern: string } };
        }
      ).properties.q.pattern,
    );
    for (const [name, text] of NAMED) {
      expect(parameter.safeParse(text).success, name).to.equal(false);
      expect(parseHost(`${text}.com`).kind, name).to.equal('invalid');
      if (!/\p{Surrogate}/u.test(text)) expect(pattern.test(text), `${name} in the document`).to.equal(false);
    }
    for (const text of [' ', '\u00a0'])
      expect([parameter.safeParse(text).success, pattern.test(text)]).to.deep.equal([false, false]);
    for (const text of ['Acme', ' é ', '🤗'])
      expect([parameter.safeParse(text).success, pattern.test(text)]).to.deep.equal([true, true]);
  });

  it('are reasons to skip an icon of a package, in any of its texts', () => {
    const policy = { ...readCatalogConfig(), hosts: {} };
    const skipsOf = (facts: Partial<SourceIcon>): readonly string[] => {
      const reasons: string[] = [];
      const skip = (_: string, reason: string) => void reasons.push(reason);
      const item = { kind: 'icon', icon: { ...icon, ...facts } } as const;
      const found = importableIcon(item, new Set(), { id: 'test', policy, skipped: [] as SkippedIcon[], skip });
      expect(found === undefined).to.equal(reasons.length > 0);
      return reasons;
    };
    expect(skipsOf({})).to.deep.equal([]);
    for (const [name, text] of NAMED)
      for (const facts of [
        { title: text },
        { aliases: ['A', text] },
        { website: text },
        { origin: text },
        { guidelines: text },
      ])
        expect(skipsOf(facts), `${name} ${Object.keys(facts).join()}`).to.deep.equal(['bad-name']);
  });

  it("are removed from an Iconify set's facts about itself", async () => {
    const { path, remove } = temporaryDir();
    const file = join(path, 'acme.json');
    const info = { name: `Ac${CONTROLS.join('')}me`, author: { name: 'A\u001b[2J', url: 'https://a.example' } };
    writeFileSync(file, JSON.stringify({ prefix: 'acme', info, icons: { home: { body: '<path d="M0 0h9v9z"/>' } } }));
    const [source] = await all(await openIconifySets(file, { kind: 'set' }));
    remove();
    expect(source).to.deep.include({ package: 'Ac me' });
    expect(JSON.stringify(source)).to.include('"A [2J"');
  });

  it('leave a strip with titles well-formed, like all special characters of XML', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
    const titles = [...NAMED.map(([, text]) => text), `<&>"']]>-->${CONTROLS.join('')}`, '🤗'];
    const form = { drawing: 'a', paint: null, extent: { width: 8, height: 8 } };
    const strip = composeStrip(
      {
        items: titles.map((title) => ({ title, forms: { light: form } })),
        layout: {
          ...{ theme: 'light', perLine: 9, side: 16, gap: 0, tile: 'none', tileColors: TILE_COLORS },
          ...{ inset: TILE_INSETS.none, isBalanced: false, isSized: true },
        },
        hasTitles: true,
      },
      () => svg,
      'b1',
    );
    expect(strip).not.to.match(/[\p{Cc}\p{Cs}\ufffe\uffff]/u);
    expect(strip.match(/<title>/g)).to.have.length(titles.length);
    expect((await sharp(Buffer.from(strip)).metadata()).width).to.equal(9 * 16);
  });

  it('and ends of comments do not let a title escape from its comment', () => {
    const signs = ['-', '>', '!', '*', '/'];
    let ends = [''];
    for (let length = 0; length < 5; length++) ends = ends.flatMap((end) => [end, ...signs.map((sign) => end + sign)]);
    const titles = [...new Set(ends), '<!--', '<!---', ...CONTROLS.map((control) => `-${control}->`)];
    for (const title of titles) {
      const code = (framework: 'vue' | 'svelte' | 'react') =>
        projectFile(
          framework,
          {
            slug: 'acme' as Slug,
            title,
            license: 'MIT',
            variant: { name: 'default', width: 8, height: 8 },
            svg: '<svg/>',
          },
          false,
        ).text.split('\n')[0];
      for (const framework of ['vue', 'svelte'] as const)
        expect(code(framework), title).to.match(/^<!-- (?:(?!--!?>).)* -->$/);
      expect(code('react'), title).to.match(/^\/\*\* (?:(?!\*\/).)* \*\/$/);
      expect(code('react'), title).not.to.match(/\p{Cc}/u);
    }
  });
});
