// Files of the dashboard as built by Vite (src/dashboard/vite.config.js): two pages, and the files that they load.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ConditionalReply } from '../response/reply.js';
import type { DashboardSettings } from './dashboard-settings.js';
import { guideAddress, GUIDES, readGuide } from './guides.js';
import { hashedFiles, readPage } from './page-files.js';

const FOLDER = '../../../../dashboard/';
const chunksSchema = z.record(z.string(), z.object({ file: z.string(), imports: z.array(z.string()).default([]) }));
/**
 * Chunks by source file. `file`: the chunk that contains the source file. `imports`: source files of all chunks that
 * this chunk imports.
 */
const CHUNKS = chunksSchema.parse(JSON.parse(readFileSync(new URL(`${FOLDER}manifest.json`, import.meta.url), 'utf8')));
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

/**
 * Returns the HTML of a page. `lazyModule`: source file below src/dashboard/ that the page loads besides the main
 * script.
 */
export function dashboardPage(lazyModule: string | undefined, settings: DashboardSettings): string {
  const loaded = new Set(filesOf('index.html'));
  const more = lazyModule === undefined ? [] : filesOf(lazyModule).filter((file) => !loaded.has(file));
  const preloads = more.map((file) => `<link rel="modulepreload" href="/${file}">`).join('\n    ');
  return readPage(`${FOLDER}index.html`, { settings: settingsText(settings), preloads });
}

/**
 * Returns all files that a source file needs. The page lists these files, so that the browser requests all of them at
 * once.
 */
function filesOf(source: string): readonly string[] {
  const chunk = CHUNKS[source];
  if (!chunk) throw new Error(`The build of the dashboard has no chunk for ${source}.`);
  return [...new Set([chunk.file, ...chunk.imports.flatMap(filesOf)])];
}

/** Returns the HTML of the page /docs. The scripts of the page add the rest of its content. */
export function referencePage(settings: DashboardSettings): string {
  return readPage(`${FOLDER}docs.html`, { settings: settingsText(settings), origin: escaped(settings.origin) });
}

export function guidePage(name: string, settings: DashboardSettings): string {
  const { title, html } = readGuide(name, settings.origin, settings.siteOwnerContact);
  const path = guideAddress(name);
  return readPage(`${FOLDER}guide.html`, {
    ...{ title: escaped(title), path, settings: settingsText(settings), content: html },
    guides: guideList(name, settings.origin),
  });
}

function guideList(current: string, origin: string): string {
  const link = (name: string) =>
    `<li><a href="${guideAddress(name)}"${name === current ? ' aria-current="page"' : ''}>${escaped(readGuide(name, origin).title)}</a></li>`;
  return Object.entries(GUIDES)
    .map(([group, names]) => `<h2>${group}</h2><ul>${names.map(link).join('')}</ul>`)
    .join('');
}

function settingsText(settings: DashboardSettings): string {
  return escaped(JSON.stringify(settings));
}

function escaped(text: string): string {
  return text.replaceAll(/[&"<>]/g, (sign) => ESCAPES[sign] ?? '');
}

export function dashboardFiles(): Readonly<Record<string, ConditionalReply>> {
  return hashedFiles(new URL(`${FOLDER}assets/`, import.meta.url));
}
