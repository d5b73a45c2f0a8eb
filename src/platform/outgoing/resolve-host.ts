// Resolution of host names for outgoing requests.
import { lookup, Resolver } from 'node:dns/promises';

/** Returns all addresses of a host name, at least one. Rejects if there are none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

const LIMITS = { timeout: 700, tries: 2, maxTimeout: 1500 };

/**
 * Queries the name servers directly. getaddrinfo would block a thread of Node's small pool for seconds if a stranger's
 * name server is slow. File access and password hashing use that pool, too.
 */
export const resolveByDns: ResolveHost = async (host) => {
  const resolver = new Resolver(LIMITS);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error('the host has no address');
  return addresses;
};

/** Resolves like other programs of the machine, including /etc/hosts. Used only for names that the operator chose. */
export const resolveBySystem: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);
