import { setTimeout as sleep } from 'node:timers/promises';
import { type NetworkIdentity, networkPaths } from '@florin/contract/protocol/network.ts';
import type { Db } from '../../platform/database/db.ts';
import { factOf, storeFact } from '../../platform/database/installation/installation-facts.ts';
import type { Logger } from '../../platform/logger.ts';

interface NetworkDeps {
  readonly db: Db;
  readonly logger: Logger;
  /** Absent in production, which has no simulated network. */
  readonly simulator_url?: string | undefined;
}

/** Maximum number of attempts of a first start to reach the card network. */
const TRIES_MAX = 20;
const TRY_PAUSE_MS = 500;
const ANSWER_MS = 2_000;

/**
 * Address of the card network to which this database belongs. The first start decides the network; later messages reach
 * no other. Throws an `Error` with a readable message if another network answers.
 */
export async function ownNetworkUrl(deps: NetworkDeps): Promise<string | undefined> {
  const { db, simulator_url } = deps;
  const storedIdentity = await factOf(db, 'card_network');
  if (simulator_url === undefined) {
    if (storedIdentity) throw new Error(SIMULATED_DATABASE);
    return undefined;
  }
  const simulatorIdentity = await identityAt(simulator_url, storedIdentity ? 1 : TRIES_MAX);
  if (!simulatorIdentity && !storedIdentity) throw new Error(silentNetwork(simulator_url));
  if (!simulatorIdentity) deps.logger.warn({ simulator_url }, UNREACHED);
  const ownIdentity =
    storedIdentity ?? (await storeFact(db, 'card_network', simulatorIdentity as string));
  if (simulatorIdentity && simulatorIdentity !== ownIdentity)
    throw new Error(foreignNetwork(simulator_url));
  return simulator_url + networkPaths.only(ownIdentity);
}

const SIMULATED_DATABASE =
  'The database has payments of a simulated card network, because npm start has used it. Production needs an empty database: correct DATABASE_URL.';

const UNREACHED = 'simulated card network not reached: start it, or correct FLORIN_SIMULATOR_URL';

const silentNetwork = (url: string): string =>
  `The simulated card network at ${url} does not respond. Start it, or correct FLORIN_SIMULATOR_URL.`;

const foreignNetwork = (url: string): string =>
  `The database belongs to another card network than the one at ${url}. Set FLORIN_SIMULATOR_URL to the simulator that the other Florins of this database use, or restore the folder simulator of the data directory. To start with an empty network in a development database: npm run florin -- adopt network.`;

async function identityAt(url: string, tries: number): Promise<string | undefined> {
  for (let triesLeft = tries; triesLeft > 0; triesLeft--) {
    const response = await fetchOrNothing(url);
    if (response) return readIdentity(url, response);
    if (triesLeft > 1) await sleep(TRY_PAUSE_MS);
  }
  return undefined;
}

const fetchOrNothing = (url: string): Promise<Response | undefined> =>
  fetch(url + networkPaths.identity, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(
    () => undefined,
  );

async function readIdentity(url: string, response: Response): Promise<string> {
  const body = (await response.json().catch(() => undefined)) as
    | Partial<NetworkIdentity>
    | undefined;
  if (response.ok && typeof body?.identity === 'string') return body.identity;
  throw new Error(
    `No card network of this version of Florin responds at ${url}. Correct FLORIN_SIMULATOR_URL, or restart that network with this version.`,
  );
}
