// Resolution of host names for outgoing requests.
import { lookup, Resolver } from 'node:dns/promises';

/** Returns all addresses of a host name, at least one. Rejects if the name has no address. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

const LIMITS = { timeout: 700, tries: 2, maxTimeout: 1500 };

/**
 * Queries the name servers without getaddrinfo. With a slow name server, getaddrinfo would block a thread of Node's
 * small thread pool for seconds. File access and compression need these threads.
 */
export const resolveByDns: ResolveHost = async (host) => {
  const resolver = new Resolver(LIMITS);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error('the host has no address');
  return addresses;
};

/**
 * Resolves names as other programs on the machine do, including /etc/hosts. Used only for names that the operator has
 * chosen.
 */
export const resolveBySystem: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);
