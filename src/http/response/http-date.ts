// HTTP-date (RFC 9110, section 5.6.7): the preferred format and the two obsolete ones.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)';
const DAY_NAME = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY_NAME = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const FORMATS = [
  new RegExp(`^${DAY_NAME}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^${LONG_DAY_NAME}, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT$`),
  new RegExp(`^${DAY_NAME} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/** Ms since the epoch; undefined for what is no HTTP-date. */
export function parseHttpDate(text: string, now: Date = new Date()): number | undefined {
  const groups = FORMATS.map((format) => format.exec(text)?.groups).find((found) => found !== undefined);
  if (!groups) return undefined;
  const { year = '', month = '', day, hour, minute, second } = groups;
  const midnight = new Date(Date.UTC(fullYear(year, now), MONTHS.indexOf(month), Number(day)));
  // There is no 31st of April: it would become the 1st of May.
  if (midnight.getUTCDate() !== Number(day)) return undefined;
  return midnight.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
}

/** Two digits stand for the nearest year that ends in them and is not more than 50 years in the future. */
function fullYear(year: string, now: Date): number {
  if (year.length === 4) return Number(year);
  const latest = now.getUTCFullYear() + 50;
  return latest - ((latest - Number(year)) % 100);
}
