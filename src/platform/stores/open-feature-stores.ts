// Stores of all features, opened in the order of the features.
import type { Feature } from '../feature.js';
import type { RecordParts } from './feature-stores.js';
import type { Stores } from './stores.js';

type FamilyParts = Omit<RecordParts, 'stores'>;

interface Family<Parts extends FamilyParts> {
  readonly parts: Parts;
  /** Opens those stores of a feature that exist only in this store family (embedded or cluster). */
  readonly family: (
    feature: Feature,
    parts: Parts & Pick<RecordParts, 'stores'>,
  ) => Promise<Partial<Stores>> | undefined;
  readonly own: Pick<Stores, 'jobSlots' | 'locks' | 'checks' | 'signingSecret' | 'readIntact' | 'close'>;
}

/** Opens all stores. A feature may wrap stores of earlier features. */
export async function openFeatureStores<Parts extends FamilyParts>(
  features: readonly Feature[],
  { parts, family, own }: Family<Parts>,
): Promise<Stores> {
  // `stores` is complete when the last feature is open. Until then, features must not read `stores`.
  const stores = { ...own } as Stores;
  for (const feature of features) {
    const records = await feature.records?.();
    if (records) Object.assign(stores, records.stores({ ...parts, stores }, features));
    Object.assign(stores, await family(feature, { ...parts, stores }));
  }
  return stores;
}

/** Collects functions that must run before a connection is closed. They run in reverse order of their registration. */
export function createClosing() {
  const steps: (() => Promise<void>)[] = [];
  return {
    add: (step: () => Promise<void>): void => void steps.unshift(step),
    async run(): Promise<void> {
      for (const step of steps) await step();
    },
  };
}
