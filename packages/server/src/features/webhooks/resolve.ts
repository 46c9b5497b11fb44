import { type LookupAddress, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { createGate } from '../../platform/concurrency/gate.ts';

/** Gives all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const QUERY = { timeout: 2_000, tries: 2 };
/** How long a name waits for its turn, and how many do. */
const TURN = { places: 1, queue_max: 256, wait_max_ms: 5_000 };

/**
 * Asks the name servers, any number of names at once. `dns.lookup` does not: the whole process has two threads for it,
 * which a name whose server never answers keeps for many seconds, from the bank and the database too.
 */
export function resolveByServers(resolver = new Resolver(QUERY)): Resolve {
  return async (hostname, _options, done) => {
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const addresses = [...found(four, 4), ...found(six, 6)];
    const error = four.status === 'rejected' && addresses.length === 0 ? four.reason : null;
    done(error, addresses);
  };
}

const found = (
  answer: PromiseSettledResult<readonly string[]>,
  family: number,
): readonly LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

/** Names of this machine, which no name server is asked for (RFC 6761, 6.3). */
const LOCALHOST = /(^|\.)localhost\.?$/;

/**
 * Asks as other programs of this machine do, which knows names of its own. One name at a time, but for the machine
 * itself, so that threads are left for everybody else.
 */
export function resolveByMachine(resolve: Resolve = lookup): Resolve {
  const gate = createGate(TURN);
  return (hostname, options, done) => {
    if (LOCALHOST.test(hostname)) return resolve(hostname, options, done);
    const { promise, resolve: leave } = Promise.withResolvers<void>();
    gate(() => {
      resolve(hostname, options, (error, addresses) => {
        leave();
        done(error, addresses);
      });
      return promise;
    }).catch((error: Error) => done(error, []));
  };
}
