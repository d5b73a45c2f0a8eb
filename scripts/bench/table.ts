// Formats a table of measurements and goals.

export interface Row {
  readonly what: string;
  readonly measured: string;
  /** Measurement to compare with: of another program, or of an idle service. */
  readonly peer: string;
  /** Number that is compared with the goal. */
  readonly figure: number;
  readonly unit: string;
  /** Goal of `figure`. Missing if there is no goal. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
}

/** Returns a rate as a multiple of another rate of the same run. */
export const ratio = (
  what: string,
  rate: number,
  peer: { readonly name: string; readonly rate: number },
  atLeast?: number,
): Row => ({
  what,
  measured: perSecond(rate),
  peer: `${peer.name} ${perSecond(peer.rate)}`,
  figure: rate / peer.rate,
  unit: '×',
  ...(atLeast !== undefined && { goal: { atLeast } }),
});

/** Returns a row for a figure with an upper limit. `measured` adds details to the figure. */
export const limited = (
  what: string,
  figure: number,
  unit: string,
  { atMost, measured = `${round(figure)}${unit}`, peer = '–' }: { atMost: number; measured?: string; peer?: string },
): Row => ({ what, measured, peer, figure, unit, goal: { atMost } });

export function markdown(rows: readonly Row[]): string {
  const lines = rows.map(({ what, measured, peer, figure, goal, unit }) => {
    const row = `| ${what} | ${measured} | ${peer} | ${round(figure)}${unit} |`;
    if (!goal) return `${row} – | – |`;
    const reached = 'atLeast' in goal ? figure >= goal.atLeast : figure <= goal.atMost;
    const wanted = 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
    return `${row} ${wanted}${unit} | ${reached ? 'yes' : '**no**'} |`;
  });
  return ['| | Blazon | compared with | figure | goal | reached |', '|---|---|---|---|---|---|', ...lines].join('\n');
}

export const round = (value: number) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
