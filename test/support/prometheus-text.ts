// Parses metrics in Prometheus' text format.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(?<name>[a-z_]\w*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/i;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function samplesIn(text: string): readonly Sample[] {
  return text.split('\n').flatMap((line) => {
    const { name, labels = '', value } = LINE.exec(line)?.groups ?? {};
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, label, given]) => [label, given] as const);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

/** Returns the sum of the samples with this name whose labels include `labels`. */
export function sumOf(samples: readonly Sample[], name: string, labels: Readonly<Record<string, string>> = {}): number {
  return samples
    .filter((one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
