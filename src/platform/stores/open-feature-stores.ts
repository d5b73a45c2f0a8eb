// Stores of all features, opened in their order.
import type { Feature } from '../feature.js';
import type { RecordParts } from './feature-stores.js';
import type { Stores } from './stores.js';

type FamilyParts = Omit<RecordParts, 'stores'>;

interface Family<Parts extends FamilyParts> {
  readonly parts: Parts;
  /** Opens the stores that a feature has in this family only. */
  readonly family: (
    feature: Feature,
    parts: Parts & Pick<RecordParts, 'stores'>,
  ) => Promise<Partial<Stores>> | undefined;
  /** Stores of the platform. */
  readonly own: Pick<Stores, 'jobSlots' | 'locks' | 'checks' | 'signingSecret' | 'readIntact' | 'close'>;
}

/** Later features may wrap the stores of earlier ones. */
export async function openFeatureStores<Parts extends FamilyParts>(
  features: readonly Feature[],
  { parts, family, own }: Family<Parts>,
): Promise<Stores> {
  // Complete when the last feature is open, which is before anything reads it.
  const stores = { ...own } as Stores;
  for (const feature of features) {
    const records = await feature.records?.();
    if (records) Object.assign(stores, records.stores({ ...parts, stores }, features));
    Object.assign(stores, await family(feature, { ...parts, stores }));
  }
  return stores;
}

/** Work before a connection is closed, the last registered first. */
export function createClosing() {
  const steps: (() => Promise<void>)[] = [];
  return {
    add: (step: () => Promise<void>): void => void steps.unshift(step),
    async run(): Promise<void> {
      for (const step of steps) await step();
    },
  };
}
