// The number of found entries. Cloud services are counted separately, because they are not brands.
import type { SearchPage } from '../data/queries.js';
import { formatNumber } from '../format.js';

const CLOUD_SERVICE = 'cloud-service';

/**
 * Returns a text such as "5,389 brands and 939 cloud services". `noun`: name for the entries that are not cloud
 * services.
 */
export function foundCount(
  { total, facets }: Pick<SearchPage, 'total' | 'facets'>,
  noun: readonly [one: string, many: string],
): string {
  const services = servicesIn({ facets });
  const parts = [
    ...(total > services || services === 0 ? [counted(total - services, noun)] : []),
    ...(services > 0 ? [counted(services, ['cloud service', 'cloud services'])] : []),
  ];
  return parts.join(' and ');
}

export function brandsIn({ total, facets }: Pick<SearchPage, 'total' | 'facets'>): number {
  return total - servicesIn({ facets });
}

function servicesIn({ facets }: Pick<SearchPage, 'facets'>): number {
  return facets.category.find(({ value }) => value === CLOUD_SERVICE)?.count ?? 0;
}

function counted(count: number, [one, many]: readonly [one: string, many: string]): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
