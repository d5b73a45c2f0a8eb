// The used share of a limit.
import { formatNumber } from '../../format.js';

interface Props {
  readonly label: string;
  readonly used: number;
  /** Null means no limit. */
  readonly limit: number | null;
}

export function UsageMeter({ label, used, limit }: Props) {
  const share = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, used / limit);
  const level = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : '';
  const text = limit === null ? `${formatNumber(used)} · no limit` : `${formatNumber(used)} of ${formatNumber(limit)}`;
  return (
    <div className="meter">
      <div className="meter-head">
        <strong>{label}</strong>
        <span className="tabular quiet">
          {text}
          {level === 'bad' && ' · used up'}
        </span>
      </div>
      <div
        className="meter-track"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit ?? undefined}
        aria-valuenow={used}
        aria-valuetext={text}
      >
        <div
          className={`meter-fill ${level}`}
          style={{ width: `${share * 100}%`, minWidth: used > 0 && limit !== null ? 6 : 0 }}
        />
      </div>
    </div>
  );
}
