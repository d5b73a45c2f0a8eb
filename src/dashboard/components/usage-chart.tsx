// Chart of requests by day and bucket, as stacked bars, with the values under the pointer.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import type { UsageAnalytics } from '../data/queries.js';
import { BUCKET_NAMES, type Bucket } from '../buckets.js';
import { formatNumber } from '../format.js';
import { useTheme } from '../theme.js';

const HEIGHT_PX = 300;
const DAY_SECONDS = 86_400;

interface Props {
  readonly usage: UsageAnalytics;
  readonly buckets: readonly Bucket[];
}

export default function UsageChart({ usage, buckets }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const { current } = holder;
    if (!current) return undefined;
    const latest = usage.days.length - 1;
    const chart = new uPlot(options(current, buckets, latest), stacked(usage, buckets), current);
    chart.setLegend({ idx: latest }, false);
    const observer = new ResizeObserver(() => chart.setSize({ width: current.clientWidth, height: HEIGHT_PX }));
    observer.observe(current);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
    // Colors are read from the page, so a change of theme draws it anew.
  }, [usage, buckets, theme]);
  // People who do not see it have the table below.
  return <div ref={holder} className="usage-chart" aria-hidden="true" />;
}

/** Of each bucket, the sum of it and those below, so that the highest is drawn first. */
function stacked({ days }: UsageAnalytics, buckets: readonly Bucket[]): uPlot.AlignedData {
  const sums = days.map(() => 0);
  const layers = buckets.map((bucket) =>
    days.map((day, at) => (sums[at] = (sums[at] ?? 0) + (day.buckets[bucket] ?? 0))),
  );
  return [days.map(({ date }) => Date.parse(date) / 1000), ...layers.reverse()];
}

/** `latest`: the day whose values are shown while the pointer is elsewhere. */
function options(holder: HTMLElement, buckets: readonly Bucket[], latest: number): uPlot.Options {
  const color = (name: string) => colorOf(holder, name);
  const axis = { stroke: color('--faint'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } };
  const bars = uPlot.paths.bars?.({ size: [0.72, 48], radius: 0.12 });
  return {
    width: holder.clientWidth,
    height: HEIGHT_PX,
    padding: [16, 8, 0, 0],
    cursor: { points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: true, range: (_chart, min, max) => [min - DAY_SECONDS / 2, max + DAY_SECONDS / 2] },
      y: { range: yRange },
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    axes: [
      { ...axis, grid: { show: false }, font: '12px Inter' },
      { ...axis, font: '12px Inter', size: 64, values: (_chart, ticks) => ticks.map((tick) => formatNumber(tick)) },
    ],
    legend: { live: true },
    hooks: {
      setCursor: [
        (chart) => {
          if (chart.cursor.idx === null || chart.cursor.idx === undefined) chart.setLegend({ idx: latest }, false);
        },
      ],
    },
    series: [
      { label: 'Day', value: '{YYYY}-{MM}-{DD}' },
      ...[...buckets].reverse().map((bucket, at, reversed): uPlot.Series => {
        const below = reversed[at + 1];
        return {
          label: BUCKET_NAMES[bucket],
          fill: color(`--chart-${bucket}`),
          stroke: color(`--chart-${bucket}`),
          width: 0,
          ...(bars && { paths: bars }),
          points: { show: false },
          value: (chart, value, series, index) =>
            ownValue(chart, { value, series, index, hasBelow: below !== undefined }),
        };
      }),
    ],
  };
}

interface Hovered {
  readonly value: number | null;
  readonly series: number;
  readonly index: number | null;
  readonly hasBelow: boolean;
}

/** What the layer itself adds to the stack. */
function ownValue(chart: uPlot, { value, series, index, hasBelow }: Hovered): string {
  if (value === null || index === null) return '–';
  const below = hasBelow ? (chart.data[series + 1]?.[index] ?? 0) : 0;
  return formatNumber(value - below);
}

function yRange(_chart: uPlot, _min: number, max: number): uPlot.Range.MinMax {
  return [0, Math.max(10, max * 1.08)];
}

/** As canvas takes it; `light-dark()` is resolved by the element. */
function colorOf(holder: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  holder.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
