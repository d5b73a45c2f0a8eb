// Visitor counting: the configured counters, the origins that may use them, and the requests that are not visits.
import { isbot } from 'isbot';
import { utcDay } from '../platform/utc-day.js';
import { DEFAULT_LABEL } from './badge.js';
import { allowsOrigin, type CounterConfig, type CounterName, type CounterSettings } from './counter.js';
import { createVisitorHash } from './visitor-hash.js';
import { AppError, shortened } from '../platform/errors.js';
import type { VisitCounts, VisitorCounters } from './visitor-counters.js';

export interface Visit {
  /** `Origin` of the request. Undefined for a badge in a web page or a README. */
  readonly origin: string | undefined;
  /** IPv4 address, or the /64 prefix of an IPv6 address. */
  readonly address: string;
  readonly userAgent: string | null;
  /** True for prefetches, previews and prerendered pages. The visitor may never open these pages. */
  readonly isSpeculative: boolean;
}

/** Counts of a counter. `total` includes the configured seed. */
export interface CounterReading extends VisitCounts {
  readonly name: CounterName;
  readonly label: string;
}

export type VisitorCounting = ReturnType<typeof createVisitorCounting>;

interface Options {
  readonly store: Pick<VisitorCounters, 'hit' | 'read'>;
  readonly config: CounterConfig;
  /** Secret with which visitors are hashed. It must be equal in all processes. */
  readonly secret: string;
  /** Current time, ms since the epoch. */
  readonly now: () => number;
}

/**
 * Matches proxies that fetch a picture for a person, such as GitHub's proxy for README badges (`github-camo`). The
 * package isbot considers them bots.
 */
const IMAGE_PROXY = /\bcamo\b|ImageProxy/i;

/**
 * Creates the service for requests. Its methods throw AppError `not_found` for a name that is not configured. They
 * throw `forbidden` for a disabled counter and for an origin that is not allowed.
 */
export function createVisitorCounting({ store, config, secret, now }: Options) {
  const hashOf = createVisitorHash(secret);

  function allowed(name: CounterName, origin: string | undefined): CounterSettings {
    const settings = settingsOf(config, name);
    if (!settings.enabled) throw new AppError('forbidden', `The counter "${name}" is disabled.`);
    if (!allowsOrigin(settings, origin))
      throw new AppError('forbidden', `Pages of this origin are not allowed to use the counter "${name}".`);
    return settings;
  }

  return {
    /** Counts a visit. Requests of known bots and speculative requests return the counts, but are not counted. */
    async hit(name: CounterName, { origin, address, userAgent, isSpeculative }: Visit): Promise<CounterReading> {
      const settings = allowed(name, origin);
      const agent = userAgent ?? '';
      const isBot = isbot(agent) && !IMAGE_PROXY.test(agent);
      const counts =
        isBot || isSpeculative
          ? await store.read(name)
          : await store.hit(name, hashOf({ counter: name, address, userAgent: agent }, utcDay(now())));
      return readingOf(name, settings, counts);
    },
    async read(name: CounterName, origin: string | undefined): Promise<CounterReading> {
      const settings = allowed(name, origin);
      return readingOf(name, settings, await store.read(name));
    },
  };
}

export type CounterOperator = ReturnType<typeof createCounterOperator>;

/** Creates the service for commands. Its methods throw AppError `not_found` for a name that is not configured. */
export function createCounterOperator({
  store,
  config,
}: Pick<Options, 'config'> & { readonly store: VisitorCounters }) {
  async function show(text: string): Promise<CounterReading & CounterSettings> {
    const name = text as CounterName;
    const settings = settingsOf(config, name);
    return { ...settings, ...readingOf(name, settings, await store.read(name)) };
  }

  return {
    list: () => Promise.all([...config.keys()].map(show)),
    show,
    /** Resets the counter. Its total then equals the configured seed. */
    async reset(name: string): Promise<void> {
      settingsOf(config, name as CounterName);
      await store.reset(name as CounterName);
    },
    /** Sets the total. Throws AppError `invalid_request` if the total is less than the configured seed. */
    async seed(name: string, total: number): Promise<void> {
      const { seed } = settingsOf(config, name as CounterName);
      if (total < seed)
        throw new AppError(
          'invalid_request',
          `The total of "${name}" cannot be less than its seed in config/counters.json, which is ${seed}.`,
        );
      await store.seed(name as CounterName, total - seed);
    },
  };
}

function settingsOf(config: CounterConfig, name: CounterName): CounterSettings {
  const settings = config.get(name);
  if (!settings)
    throw new AppError(
      'not_found',
      `There is no counter "${shortened(name)}". The operator defines counters in config/counters.json.`,
    );
  return settings;
}

function readingOf(
  name: CounterName,
  { seed, label = DEFAULT_LABEL }: CounterSettings,
  counts: VisitCounts,
): CounterReading {
  return { ...counts, name, label, total: seed + counts.total };
}
