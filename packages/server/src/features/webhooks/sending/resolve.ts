import { type LookupAddress, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';

/** Resolves a name to all its addresses. */
export type Resolve = (
  hostname: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const QUERY = { timeout: 2_000, tries: 2 };
/** Limits of the operating system's lookups: one at a time, with a queue and a longest wait. */
const LOOKUPS = { total: { max: 1, waiting_max: 256 }, wait_max_ms: 5_000 };

/**
 * Queries name servers directly and concurrently. `dns.lookup` would block a thread for many seconds if a server does
 * not respond. The process has few threads, and database and processor need them too.
 */
export function resolveByDnsServers(resolver = new Resolver(QUERY)): Resolve {
  return async (hostname, _options, callback) => {
    const [ipv4Answer, ipv6Answer] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const addresses = [...addressesOf(ipv4Answer, 4), ...addressesOf(ipv6Answer, 6)];
    const error =
      ipv4Answer.status === 'rejected' && addresses.length === 0 ? ipv4Answer.reason : null;
    callback(error, addresses);
  };
}

const addressesOf = (
  answer: PromiseSettledResult<readonly string[]>,
  family: number,
): readonly LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

/** Names of the local host, which must not be sent to a name server (RFC 6761, 6.3). */
const LOCALHOST = /(^|\.)localhost\.?$/;

/**
 * Resolves through the operating system, which knows local names. Names other than the local host
 * are resolved one at a time, so that threads stay free.
 */
export function resolveBySystem(resolve: Resolve = lookup): Resolve {
  const lookups = createLimiter(LOOKUPS);
  return (hostname, options, callback) => {
    if (LOCALHOST.test(hostname)) return resolve(hostname, options, callback);
    const { promise, resolve: endTurn } = Promise.withResolvers<void>();
    const startLookup = () => {
      resolve(hostname, options, (error, addresses) => {
        endTurn();
        callback(error, addresses);
      });
      return promise;
    };
    lookups.run(startLookup).catch((error: Error) => callback(error, []));
  };
}
