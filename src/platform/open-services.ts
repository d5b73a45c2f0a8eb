// Services of all features. They are opened in the order of the features.
import type { Feature, Opened, Opening } from './feature.js';
import type { Services } from './services.js';

/** Opens the services that both the service and commands use. */
export async function openServices(options: Omit<Opening, 'services'>) {
  const services = {} as Services;
  const opened = await openInOrder({ ...options, services }, (feature) => feature.open?.());
  return { services, opened, close: () => closeInReverse(opened) };
}

/** Calls `open` or `serve` of every feature, and adds the opened services to `services`. */
export async function openInOrder<Parts extends Pick<Opening, 'features' | 'services'>>(
  parts: Parts,
  load: (feature: Feature) => Promise<(parts: Parts) => Opened | Promise<Opened>> | undefined,
): Promise<readonly Opened[]> {
  const all: Opened[] = [];
  for (const feature of parts.features) {
    const open = await load(feature);
    if (!open) continue;
    const opened = await open(parts);
    Object.assign(parts.services, opened.services);
    all.push(opened);
  }
  return all;
}

/** Closes the features in reverse order, because a feature uses earlier features until it is closed. */
export async function closeInReverse(opened: readonly Opened[]): Promise<void> {
  for (const one of opened.toReversed()) await one.close?.();
}
