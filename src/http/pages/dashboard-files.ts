// The files of the dashboard as its build leaves them (scripts/build-dashboard.js): two documents, and what they load.
import { readFileSync } from 'node:fs';
import type { ConditionalReply } from '../response/reply.js';
import type { DashboardSettings } from './dashboard-settings.js';
import { hashedFiles, readPage } from './page-files.js';

const FOLDER = '../../../dashboard/';
/** Page that has a chunk of its own → elements of its head. */
const PRELOADS = JSON.parse(readFileSync(new URL(`${FOLDER}preloads.json`, import.meta.url), 'utf8')) as Readonly<
  Record<string, string>
>;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

/** The document names the scripts of the page. `name`: that of its file below src/dashboard/pages/ (`front-page`). */
export function dashboardPage(name: string, settings: DashboardSettings): string {
  return readPage(`${FOLDER}index.html`, { settings: settingsText(settings), preloads: PRELOADS[name] ?? '' });
}

/** /docs: the beginning of the reference, which the scripts of the page complete. */
export function referencePage(settings: DashboardSettings): string {
  return readPage(`${FOLDER}docs.html`, { settings: settingsText(settings), origin: escaped(settings.origin) });
}

function settingsText(settings: DashboardSettings): string {
  return escaped(JSON.stringify(settings));
}

function escaped(text: string): string {
  return text.replaceAll(/[&"<>]/g, (sign) => ESCAPES[sign] ?? '');
}

/** By name. */
export function dashboardFiles(): Readonly<Record<string, ConditionalReply>> {
  return hashedFiles(new URL(`${FOLDER}assets/`, import.meta.url));
}
