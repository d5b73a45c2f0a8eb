// A range of UTC days: common lengths, or two dates.
import { Chips } from '../../components/chips.js';

/** Number of days for which the service keeps usage, including today. */
const KEPT_DAYS = 400;
/** Maximum number of days in one request. */
const MAX_DAYS = 366;
const DAY_MS = 86_400_000;
const PRESETS = [7, 30, 90, 365] as const;

/** ISO dates, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Returns a range that ends with `today`. */
export function lastDays(days: number, today: string): DayRange {
  return { from: shifted(today, 1 - days), to: today };
}

function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

function within(day: string, first: string, last: string): string {
  return day < first ? first : day > last ? last : day;
}

interface Props {
  /** Today by the service's clock. */
  readonly today: string;
  readonly range: DayRange;
  readonly onRange: (range: DayRange) => void;
}

export function RangePicker({ today, range, onRange }: Props) {
  // If one end of the range changes, the other end follows, so that the service accepts the range.
  const changes = {
    from: (from: string) => onRange({ from, to: within(range.to, from, shifted(from, MAX_DAYS - 1)) }),
    to: (to: string) => onRange({ from: within(range.from, shifted(to, 1 - MAX_DAYS), to), to }),
  };
  return (
    <div className="range">
      <Chips
        label="Range"
        values={PRESETS}
        text={(days) => (days === 365 ? '1 year' : `${days} days`)}
        isPressed={(days) => range.to === today && range.from === lastDays(days, today).from}
        onPress={(days) => onRange(lastDays(days, today))}
      />
      {(['from', 'to'] as const).map((end) => (
        <div key={end} className="field">
          <label htmlFor={end}>{end === 'from' ? 'From' : 'To'}</label>
          <input
            id={end}
            type="date"
            className="input small"
            required
            min={shifted(today, 1 - KEPT_DAYS)}
            max={today}
            value={range[end]}
            onChange={({ target }) => target.value !== '' && changes[end](target.value)}
          />
        </div>
      ))}
    </div>
  );
}
