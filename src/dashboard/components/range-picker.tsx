// A range of UTC days: usual lengths, or two dates.

/** The service keeps as many, today included; a request is for 366 at most. */
const KEPT_DAYS = 400;
const MAX_DAYS = 366;
const DAY_MS = 86_400_000;
const PRESETS = [7, 30, 90, 365] as const;

/** ISO dates, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Days that end with `today`. */
export function lastDays(days: number, today: string): DayRange {
  return { from: shifted(today, 1 - days), to: today };
}

function shifted(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

interface Props {
  /** Of the service's clock. */
  readonly today: string;
  readonly range: DayRange;
  readonly onRange: (range: DayRange) => void;
}

export function RangePicker({ today, range, onRange }: Props) {
  const isPreset = (days: number) => {
    const preset = lastDays(days, today);
    return preset.from === range.from && preset.to === range.to;
  };
  // The other end follows, so that the range stays one that the service answers.
  const changeFrom = (from: string): void => {
    if (from === '') return;
    const latest = shifted(from, MAX_DAYS - 1);
    const to = range.to < from ? from : range.to;
    onRange({ from, to: to > latest ? latest : to });
  };
  const changeTo = (to: string): void => {
    if (to === '') return;
    const earliest = shifted(to, 1 - MAX_DAYS);
    const from = range.from > to ? to : range.from;
    onRange({ from: from < earliest ? earliest : from, to });
  };
  const limits = { min: shifted(today, 1 - KEPT_DAYS), max: today };
  return (
    <div className="range">
      <div className="chips" role="group" aria-label="Range">
        {PRESETS.map((days) => (
          <button
            key={days}
            type="button"
            className="chip"
            aria-pressed={isPreset(days)}
            onClick={() => onRange(lastDays(days, today))}
          >
            {days === 365 ? '1 year' : `${days} days`}
          </button>
        ))}
      </div>
      <div className="field">
        <label htmlFor="from">From</label>
        <input
          id="from"
          type="date"
          className="input small"
          required
          {...limits}
          value={range.from}
          onChange={(event) => changeFrom(event.target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor="to">To</label>
        <input
          id="to"
          type="date"
          className="input small"
          required
          {...limits}
          value={range.to}
          onChange={(event) => changeTo(event.target.value)}
        />
      </div>
    </div>
  );
}
