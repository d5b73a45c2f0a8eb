// Renders SVG files in Chromium, in an `<img>` with `object-fit: contain` and a transparent background. Caches the
// pictures by the content of the file.
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from 'playwright-core';
import sharp from 'sharp';
import { chromiumOptions, NO_CHROMIUM } from '../chromium.js';
import type { Picture } from './compare-pictures.js';

/** Side of each picture, px. */
export const PICTURE_PX = 256;
const COLUMNS = 8;
const ROWS = 6;
/** Maximum number of pictures in one screenshot. */
export const PICTURES_AT_ONCE = COLUMNS * ROWS;
const PAGE_TIMEOUT_MS = 60_000;
/** Content of the cache file if Chromium cannot show the SVG. */
const BROKEN = 'broken';

/** Picture of an SVG, or undefined if Chromium cannot show the SVG. */
export type BrowserPicture = Picture | undefined;

export type BrowserPictures = Awaited<ReturnType<typeof openBrowserPictures>>;

/** Opens Chromium. Creates the folder `cache` if it is missing. Throws if Chromium is not installed. */
export async function openBrowserPictures(cache: string) {
  const options = chromiumOptions();
  if (options === undefined) throw new Error(NO_CHROMIUM);
  mkdirSync(cache, { recursive: true });
  let browser: Browser | undefined;
  const newPage = async (): Promise<Page> => {
    browser ??= await chromium.launch(options);
    const viewport = { width: COLUMNS * PICTURE_PX, height: ROWS * PICTURE_PX };
    return browser.newPage({ viewport, colorScheme: 'light' });
  };
  const fileOf = (svg: Buffer): string => join(cache, `${hash('sha256', svg).slice(0, 32)}-${PICTURE_PX}.png`);

  async function draw(svgs: readonly Buffer[]): Promise<readonly BrowserPicture[]> {
    const page = await newPage();
    try {
      return await drawOnPage(page, svgs);
    } catch (error) {
      // One of the pictures may block the page. Rendering each picture alone finds this picture.
      if (svgs.length === 1) return [undefined];
      process.stderr.write(`Chromium: ${error instanceof Error ? error.message : String(error)}\n`);
      const pictures: BrowserPicture[] = [];
      for (const svg of svgs) pictures.push(...(await draw([svg])));
      return pictures;
    } finally {
      await page.close();
    }
  }

  return {
    /** Returns one picture per SVG, in order. */
    async pictures(svgs: readonly Buffer[]): Promise<readonly BrowserPicture[]> {
      const missing = [...new Map(svgs.map((svg) => [fileOf(svg), svg]))].filter(([file]) => !existsSync(file));
      for (let at = 0; at < missing.length; at += PICTURES_AT_ONCE) {
        const some = missing.slice(at, at + PICTURES_AT_ONCE);
        const drawn = await draw(some.map(([, svg]) => svg));
        for (const [index, [file]] of some.entries()) await writePicture(file, drawn[index]);
      }
      return Promise.all(svgs.map((svg) => readPicture(fileOf(svg))));
    },
    close: async () => browser?.close(),
  };
}

async function drawOnPage(page: Page, svgs: readonly Buffer[]): Promise<readonly BrowserPicture[]> {
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const images = svgs.map((svg) => `<img alt="" src="data:image/svg+xml;base64,${unzipped(svg).toString('base64')}">`);
  await page.setContent(
    `<!doctype html><style>body{margin:0;line-height:0}img{width:${PICTURE_PX}px;height:${PICTURE_PX}px;` +
      `object-fit:contain}</style>${images.join('')}`,
  );
  const isShown = await page.evaluate<boolean[]>(
    'Promise.all([...document.images].map((image) => image.decode().then(() => true, () => false)))',
  );
  const screenshot = await page.screenshot({ omitBackground: true, timeout: PAGE_TIMEOUT_MS });
  const { data, info } = await sharp(screenshot).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return svgs.map((_, index) => {
    if (isShown[index] !== true) return undefined;
    const rgba = new Uint8Array(PICTURE_PX * PICTURE_PX * 4);
    const [left, top] = [(index % COLUMNS) * PICTURE_PX, Math.floor(index / COLUMNS) * PICTURE_PX];
    for (let row = 0; row < PICTURE_PX; row++) {
      const from = ((top + row) * info.width + left) * 4;
      rgba.set(data.subarray(from, from + PICTURE_PX * 4), row * PICTURE_PX * 4);
    }
    return { width: PICTURE_PX, height: PICTURE_PX, rgba };
  });
}

/** Unpacks `.svgz` files. Chromium only unpacks them if a server sends the right headers. */
function unzipped(svg: Buffer): Buffer {
  return svg[0] === 0x1f && svg[1] === 0x8b ? gunzipSync(svg) : svg;
}

async function writePicture(file: string, picture: BrowserPicture): Promise<void> {
  const content = picture === undefined ? BROKEN : await pngOf(picture);
  writeFileSync(`${file}.${process.pid}.tmp`, content);
  renameSync(`${file}.${process.pid}.tmp`, file);
}

async function readPicture(file: string): Promise<BrowserPicture> {
  const content = readFileSync(file);
  return content.toString() === BROKEN ? undefined : pictureOf(content);
}

export async function pngOf({ width, height, rgba }: Picture): Promise<Buffer> {
  return sharp(rgba, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 3 })
    .toBuffer();
}

export async function pictureOf(file: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: data };
}
