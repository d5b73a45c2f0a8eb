// Files of a folder in content codings beside them: `name.br`, `name.gz`.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ENCODED_SUFFIXES } from '../src/http/pages/page-files.js';
import { MIN_CODED_BYTES } from '../src/http/response/content-coding.js';
import { CONTENT_CODINGS, type ContentCoding } from '../src/services/compression.js';

/** What is compressed in itself (PNG, WebP, fonts) is left out. */
const TEXT_FILE = /\.(?:css|html|js|json|svg)$/;

/** As small as it gets: once per build, and read by every browser. */
const ENCODERS: Readonly<Record<ContentCoding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) =>
    promisify<Buffer, object, Buffer>(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  gzip: (content) => promisify<Buffer, object, Buffer>(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/** Files in folders of it too; those whose encoded ones are newer are left as they are. */
export async function encodeFiles(folder: string): Promise<void> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => TEXT_FILE.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size >= MIN_CODED_BYTES);
  await Promise.all(paths.flatMap((path) => CONTENT_CODINGS.map((coding) => encodeFile(path, coding))));
}

async function encodeFile(path: string, coding: ContentCoding): Promise<void> {
  const target = path + ENCODED_SUFFIXES[coding];
  if (existsSync(target) && statSync(target).mtimeMs > statSync(path).mtimeMs) return;
  writeFileSync(target, await ENCODERS[coding](readFileSync(path)));
}
