// Chart of requests by day and bucket as stacked bars. A legend shows the values of the day under the pointer.
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { BUCKET_NAMES, type Bucket } from '../../data/buckets.js';
import type { UsageAnalytics } from '../../data/queries.js';
import { formatDay, formatNumber } from '../../format.js';
import { useTheme } from '../../theme.js';

const HEIGHT_PX = 300;
const DAY_SECONDS = 86_400;

interface Props {
  readonly usage: UsageAnalytics;
  readonly buckets: readonly Bucket[];
}

export default function UsageChart({ usage: { days }, buckets }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    const { current } = holder;
    if (!current) return undefined;
    const chart = new uPlot(options(current, buckets, days), stacked(buckets, days), current);
    chart.setLegend({ idx: days.length - 1 }, false);
    const observer = new ResizeObserver(() => chart.setSize({ width: current.clientWidth, height: HEIGHT_PX }));
    observer.observe(current);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
    // Colors are read from the page, so a change of theme redraws the chart.
  }, [days, buckets, theme]);
  // People who can't see the chart use the table below it.
  return <div ref={holder} className="usage-chart" aria-hidden="true" />;
}

/**
 * Returns the bars as one series per bucket: the sum of this bucket and all buckets before it. The highest bars come
 * first, because uPlot draws each series in front of the series before it.
 */
function stacked(buckets: readonly Bucket[], days: UsageAnalytics['days']): uPlot.AlignedData {
  const sums = days.map(() => 0);
  const layers = buckets.map((bucket) =>
    days.map((day, at) => (sums[at] = (sums[at] ?? 0) + (day.buckets[bucket] ?? 0))),
  );
  return [days.map(({ date }) => Date.parse(date) / 1000), ...layers.reverse()];
}

function options(holder: HTMLElement, buckets: readonly Bucket[], days: UsageAnalytics['days']): uPlot.Options {
  const color = (name: string) => colorOf(holder, name);
  const axis = {
    stroke: color('--faint'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: '12px Inter',
  };
  const bars = uPlot.paths.bars?.({ size: [0.72, 48], radius: 0.12 });
  return {
    width: holder.clientWidth,
    height: HEIGHT_PX,
    padding: [16, 8, 0, 0],
    cursor: { points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: true, range: (_chart, min, max) => [min - DAY_SECONDS / 2, max + DAY_SECONDS / 2] },
      y: { range: (_chart, _min, max) => [0, Math.max(10, max * 1.08)] },
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    axes: [
      { ...axis, grid: { show: false }, space: 90, values: (_chart, ticks) => ticks.map(dayOf) },
      { ...axis, size: 64, values: (_chart, ticks) => ticks.map((tick) => formatNumber(tick)) },
    ],
    legend: { live: true },
    hooks: {
      // Without a pointer, the latest day is shown.
      setCursor: [(chart) => typeof chart.cursor.idx !== 'number' && chart.setLegend({ idx: days.length - 1 }, false)],
    },
    series: [
      { label: 'Day', value: (_chart, seconds) => (typeof seconds === 'number' ? dayOf(seconds) : '–') },
      ...[...buckets].reverse().map((bucket): uPlot.Series => ({
        label: BUCKET_NAMES[bucket],
        fill: color(`--chart-${bucket}`),
        stroke: color(`--chart-${bucket}`),
        width: 0,
        ...(bars && { paths: bars }),
        points: { show: false },
        // Shows the value of this bucket alone. The value of the series is a sum, because the chart stacks the buckets.
        value: (_chart, _sum, _series, at) => (at === null ? '–' : formatNumber(days[at]?.buckets[bucket] ?? 0)),
      })),
    ],
  };
}

function dayOf(seconds: number): string {
  return formatDay(new Date(seconds * 1000).toISOString().slice(0, 10));
}

/**
 * Returns a color that a canvas accepts. A canvas can't resolve CSS variables and `light-dark()`, so an element of the
 * page resolves them.
 */
function colorOf(holder: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  holder.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
