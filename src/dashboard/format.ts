// Numbers, times and devices in readable form.

const NUMBER = new Intl.NumberFormat('en');
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const DATE_TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** Takes ISO 8601, returns local time. */
export function formatDate(moment: string): string {
  return DATE.format(new Date(moment));
}

const UTC_DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** Takes a UTC day such as 2026-11-28. */
export function formatDay(day: string): string {
  return UTC_DAY.format(new Date(day));
}

export function formatDateTime(moment: string): string {
  return DATE_TIME.format(new Date(moment));
}

/** `null` means that it has never happened. */
export function formatAgo(moment: string | null): string {
  if (moment === null) return 'never';
  const ms = new Date(moment).getTime() - Date.now();
  const unit = UNITS.find(([, unitMs]) => Math.abs(ms) >= unitMs);
  return unit ? RELATIVE.format(Math.round(ms / unit[1]), unit[0]) : 'just now';
}

/** Returns a text such as "Last used yesterday" or "Never used". */
export function lastUse(moment: string | null): string {
  return moment === null ? 'Never used' : `Last used ${formatAgo(moment)}`;
}

/** `amount` is in the smallest unit of the currency. */
export function formatPrice(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** maximumFractionDigits);
}

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/curl\//, 'curl'],
] as const;
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;

export function deviceName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown device';
  const nameIn = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = nameIn(BROWSERS);
  const system = nameIn(SYSTEMS);
  if (browser === undefined && system === undefined) return userAgent.slice(0, 60);
  return [browser, system].filter(Boolean).join(' on ');
}
