// Draws sheets that compare the source, the PNG and the SVG on white and on black backgrounds.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumOptions, NO_CHROMIUM } from '../chromium.js';
import { pngOf } from './browser-pictures.js';
import type { Comparison } from './compare-files.js';

const ROWS = 12;
const CELL_PX = 128;
const WIDTH_PX = 2 * (6 * (CELL_PX + 4) + 20);

/** Writes files `sheet-01.png`, `sheet-02.png` and so on. Returns the number of sheets. */
export async function writeSheets(folder: string, comparisons: readonly Comparison[]): Promise<number> {
  const options = chromiumOptions();
  if (options === undefined) throw new Error(NO_CHROMIUM);
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch(options);
  const page = await browser.newPage({ viewport: { width: WIDTH_PX, height: 100 } });
  const perSheet = ROWS * 2;
  let sheets = 0;
  for (let at = 0; at < comparisons.length; at += perSheet) {
    const cells = await Promise.all(comparisons.slice(at, at + perSheet).map(cell));
    await page.setContent(`<!doctype html><style>${STYLE}</style><main>${cells.join('')}</main>`);
    sheets++;
    await page.screenshot({ path: join(folder, `sheet-${String(sheets).padStart(2, '0')}.png`), fullPage: true });
  }
  await browser.close();
  return sheets;
}

const STYLE =
  'body{margin:4px;font:12px sans-serif}main{display:grid;grid-template-columns:1fr 1fr}section{margin-bottom:8px}' +
  `p{margin:2px;white-space:nowrap;overflow:hidden}img{width:${CELL_PX}px;height:${CELL_PX}px;margin-right:2px;` +
  'outline:1px solid #bbb}.b{background:#000}.w{background:#fff}';

async function cell({ name, verdict, reason, message, png, svg, pictures }: Comparison): Promise<string> {
  const percent = (share: number): string => (share * 100).toFixed(2);
  const figures = [png, svg].map((one) => (one ? `${percent(one.unexplained)} / ${percent(one.mean)} %` : ''));
  const title = `${name} – ${verdict} ${reason ?? ''} ${message ?? ''} PNG ${figures[0]} SVG ${figures[1]}`;
  const shown = pictures ? [pictures.source, pictures.png, pictures.svg] : [];
  const addresses = await Promise.all(
    shown.map(async (picture) => `data:image/png;base64,${(await pngOf(picture)).toString('base64')}`),
  );
  const row = (page: string): string => addresses.map((address) => `<img class="${page}" src="${address}">`).join('');
  return `<section><p>${title.replaceAll('<', '&lt;')}</p>${row('w')} ${row('b')}</section>`;
}
