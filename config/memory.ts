// Divides the memory of one process among its caches and buffers, in bytes.
import { constrainedMemory } from 'node:process';

const MIB = 2 ** 20;
export const MIN_MEMORY_MB = 128;
const USUAL_MEMORY_MB = 700;
/** Maximum default of RENDER_CACHE_MB (memory for finished pictures). Must equal the 128 MB in ecosystem.config.js. */
const USUAL_PICTURES_MB = 128;
const MIN_PICTURES_MB = 16;
/** Share of (MEMORY_MB - RESERVED_MB) that RENDER_CACHE_MB gets by default, up to USUAL_PICTURES_MB. */
const PICTURES_PART = 1 / 4;
/** Memory for code, the indexes of the default catalog, connections and buffered log lines, MB. */
const RESERVED_MB = 190;
/**
 * Minimum memory to divide among all SHARES, MB. The sum of the shares may be larger, because some shares have their
 * own minimum (`least`).
 */
const MIN_SHARED_MB = 64;

interface Share {
  readonly percent: number;
  /** Minimum of the share, bytes. The largest accepted item must fit into this memory. */
  readonly least?: number;
}

/**
 * Share of each cache and buffer in the memory that `memoryShares` divides. Finished pictures have no share here,
 * because RENDER_CACHE_MB sets their memory.
 */
const SHARES = {
  /** Pictures that are being encoded or sent. The largest one has 4096 × 4096 pixels of 4 bytes. */
  picturesUnderWay: { percent: 16, least: 64 * MIB },
  /** Bodies of uploads in progress. The largest one is an archive of 32 MiB. */
  uploads: { percent: 8, least: 32 * MIB },
  /** Unpacked archives. The largest one has 128 MiB. */
  unpackedArchives: { percent: 32, least: 128 * MIB },
  /**
   * Own brands (logos that accounts have uploaded) of the most recently active accounts. The own brands of one account
   * have at most 12 million characters, and a character takes up to 6 bytes.
   */
  ownBrands: { percent: 18, least: 69 * MIB },
  ownDrawings: { percent: 2 },
  catalogDrawings: { percent: 3 },
  catalogEntries: { percent: 3 },
  /** Icons of websites. Unused if SITE_ICONS is off. */
  siteIcons: { percent: 1 },
  searches: { percent: 2 },
  iconAnswers: { percent: 2 },
  /** Compressed answers, except pictures. */
  compressedAnswers: { percent: 1 },
  /** Parsed parameters of requested URLs, for all routes. */
  addresses: { percent: 4 },
  /** Rate limits and times of last use, by account, key and client address. */
  clients: { percent: 3 },
  /** Pictures that wait to be written to the disk. */
  unwrittenPictures: { percent: 1 },
  /** Numbers of responses by account, until they are stored. */
  responseCounts: { percent: 1 },
} as const satisfies Readonly<Record<string, Share>>;

/** Size of each cache and buffer, bytes. */
export type MemoryShares = Readonly<Record<keyof typeof SHARES | 'pictures', number>>;

interface Budget {
  readonly MEMORY_MB: number;
  readonly RENDER_CACHE_MB: number;
}

/**
 * Returns the default of MEMORY_MB: USUAL_MEMORY_MB, or the memory limit of the container if it is lower. Never returns
 * less than MIN_MEMORY_MB.
 */
export function defaultMemoryMb(limitBytes = constrainedMemory()): number {
  // Without a limit, Node returns 0, or more bytes than any machine has.
  const limitMb = limitBytes > 0 ? Math.floor(limitBytes / MIB) : Infinity;
  return Math.max(MIN_MEMORY_MB, Math.min(USUAL_MEMORY_MB, limitMb));
}

/** Returns the default of RENDER_CACHE_MB. It is lower than USUAL_PICTURES_MB if MEMORY_MB is low. */
export function defaultPicturesMb(memoryMb: number): number {
  const part = Math.ceil((memoryMb - RESERVED_MB) * PICTURES_PART);
  return Math.max(MIN_PICTURES_MB, Math.min(USUAL_PICTURES_MB, part));
}

/**
 * Divides MEMORY_MB, without RESERVED_MB and the finished pictures, into shares. If RENDER_CACHE_MB exceeds
 * USUAL_PICTURES_MB, the process uses the excess in addition to MEMORY_MB.
 */
export function memoryShares({ MEMORY_MB, RENDER_CACHE_MB }: Budget): MemoryShares {
  const picturesPart = Math.min(RENDER_CACHE_MB, USUAL_PICTURES_MB);
  const sharedBytes = Math.max(MEMORY_MB - RESERVED_MB - picturesPart, MIN_SHARED_MB) * MIB;
  const shares = Object.entries(SHARES).map(([name, { percent, ...bounds }]) => [
    name,
    Math.max(Math.floor((sharedBytes * percent) / 100), 'least' in bounds ? bounds.least : 0),
  ]);
  return { ...(Object.fromEntries(shares) as MemoryShares), pictures: RENDER_CACHE_MB * MIB };
}
