// One table of what was measured against what must be reached.

export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly peer: string;
  /** The figure that is compared with the goal. */
  readonly figure: number;
  /** Null: reported without a goal. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
  readonly unit: string;
}

export function markdown(rows: readonly Row[]): string {
  const lines = rows.map(({ what, measured, peer, figure, goal, unit }) => {
    if (!goal) return `| ${what} | ${measured} | ${peer} | ${round(figure)}${unit} | – | – |`;
    const reached = 'atLeast' in goal ? figure >= goal.atLeast : figure <= goal.atMost;
    const wanted = 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
    return (
      `| ${what} | ${measured} | ${peer} | ${round(figure)}${unit} | ${wanted}${unit} | ` +
      `${reached ? 'yes' : '**no**'} |`
    );
  });
  return ['| | Blazon | compared with | figure | goal | reached |', '|---|---|---|---|---|---|', ...lines].join('\n');
}

export const round = (value: number) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
