// Measures the first view of the dashboard in Chromium, with the processor slowed to a quarter of its speed. Measures
// when the controls respond, which scripts the page loads, and when the API reference is readable.
import { gzipSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';
import { chromiumOptions, NO_CHROMIUM } from '../chromium.js';
import { median } from './load.js';
import type { MeasuredService } from './service.js';
import { limited, round, type Row } from './table.js';

const SLOWER = 4;
const VISITS = 9;
const LIMIT_MS = 60_000;
const KB = 1024;

/**
 * Script that presses the theme switch until it responds. When the script runs for the first time, the document is
 * still empty. The time is measured for the switch, as an example of all controls that need a script.
 */
const PRESS = `
  (function press() {
    document.querySelector('button[aria-label^="Switch to the"]')?.click();
    // At first, the document is empty, and documentElement is null.
    if (document.documentElement?.dataset.theme) window.answeredMs = performance.now();
    else setTimeout(press, 10);
  })()`;

interface Visit {
  readonly answeredMs: number;
  readonly paintedMs: number;
  readonly scripts: readonly string[];
}

export async function measureDashboard(service: MeasuredService): Promise<Row[]> {
  const options = chromiumOptions();
  if (!options) throw new Error(NO_CHROMIUM);
  // Opens the dashboard at the host of PUBLIC_URL, which is `localhost` by default.
  const base = service.base.replace('127.0.0.1', 'localhost');
  const browser = await chromium.launch(options);
  try {
    const visits: Visit[] = [];
    for (let count = 0; count < VISITS; count++) visits.push(await visit(browser, base));
    const [answered, painted] = [visits.map(({ answeredMs }) => answeredMs), visits.map(({ paintedMs }) => paintedMs)];
    const scripts = visits[0]?.scripts ?? [];
    const docs: DocsVisit[] = [];
    for (let count = 0; count < VISITS; count++) docs.push(await visitDocs(browser, base));
    const read = docs.map(({ readMs }) => readMs);
    return [
      limited(`front page on a processor ${SLOWER} × slower, controls answer`, median(answered), ' ms', {
        atMost: 1000,
        measured: `median of ${VISITS}; ${round(Math.min(...answered))} to ${round(Math.max(...answered))} ms`,
        peer: `first paint ${round(median(painted))} ms`,
      }),
      limited(`/docs on a processor ${SLOWER} × slower, introduction painted`, median(read), ' ms', {
        atMost: 1500,
        measured: `median of ${VISITS}; ${round(Math.min(...read))} to ${round(Math.max(...read))} ms`,
        peer: `all routes ${round(median(docs.map(({ completeMs }) => completeMs)))} ms`,
      }),
      limited('scripts of the front page, gzip', (await gzipBytes(scripts)) / KB, ' KB', { atMost: 150 }),
    ];
  } finally {
    await browser.close();
  }
}

async function visit(browser: Browser, base: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
  const page = await context.newPage();
  const developer = await context.newCDPSession(page);
  await developer.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(PRESS);
  await page.goto(base);
  await page.getByRole('heading', { name: 'Plans' }).waitFor();
  // The script polls in the page, because the page's content security policy forbids Playwright's `waitForFunction`.
  const seen = await page.evaluate<Visit>(`(async () => {
    const painted = () => performance.getEntriesByName('first-contentful-paint').length === 1;
    while (!window.answeredMs || !painted()) {
      if (performance.now() > ${LIMIT_MS}) throw new Error('the controls of the page do not answer');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return {
      answeredMs: window.answeredMs,
      paintedMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      scripts: performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js')),
    };
  })()`);
  await context.close();
  return seen;
}

interface DocsVisit {
  /** Time when the browser paints the introduction, ms. */
  readonly readMs: number;
  /** Time when every route has its content, ms. */
  readonly completeMs: number;
}

/** Script that measures when the browser paints the introduction, and when the last route is complete. */
const WATCH_DOCS = `
  new PerformanceObserver((list) => {
    // Finds the introduction by its size: no title and no note is as large. The element itself may be replaced.
    const text = list.getEntries().find(({ size }) => size > 20_000);
    if (text) window.readMs ??= text.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  (function watch() {
    if (document.querySelector('.operation .fields') && !document.querySelector('.operation.incomplete'))
      window.completeMs = performance.now();
    else requestAnimationFrame(watch);
  })()`;

async function visitDocs(browser: Browser, base: string): Promise<DocsVisit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
  const page = await context.newPage();
  const developer = await context.newCDPSession(page);
  await developer.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(WATCH_DOCS);
  await page.goto(`${base}/docs`);
  const seen = await page.evaluate<DocsVisit>(`(async () => {
    while (!window.readMs || !window.completeMs) {
      if (performance.now() > ${LIMIT_MS}) throw new Error('the reference is not complete');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { readMs: window.readMs, completeMs: window.completeMs };
  })()`);
  await context.close();
  return seen;
}

async function gzipBytes(scripts: readonly string[]): Promise<number> {
  const sizes = scripts.map(async (url) => gzipSync(await (await fetch(url)).text(), { level: 9 }).length);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
