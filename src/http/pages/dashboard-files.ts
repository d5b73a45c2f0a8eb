// The files of the dashboard as its build leaves them (scripts/build-dashboard.ts): two pages, and what they load.
import type { ConditionalReply } from '../response/reply.js';
import type { DashboardSettings } from './dashboard-settings.js';
import { hashedFiles, readPage } from './page-files.js';

const FOLDER = '../../../dashboard/';
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

export function dashboardPage(name: 'index.html' | 'docs.html', settings: DashboardSettings): string {
  const text = JSON.stringify(settings).replaceAll(/[&"<>]/g, (sign) => ESCAPES[sign] ?? '');
  return readPage(FOLDER + name, { settings: text });
}

/** By name. */
export function dashboardFiles(): Readonly<Record<string, ConditionalReply>> {
  return hashedFiles(new URL(`${FOLDER}assets/`, import.meta.url));
}
