import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { vaultSocket } from '@florin/cli/commands/services.ts';
import { withClient } from '@florin/cli/database/client.ts';
import { vaultPaths } from '@florin/contract/protocol/vault.ts';
import type { Cluster } from '../support/cluster.ts';
import { readReadiness } from '../support/readiness.ts';

const ANSWER_LIMIT_MS = 10_000;
const HALF_SECOND_MS = 500;

/** Seconds by which each clock is ahead of the others, as its process sees it, by name. */
export async function seenOffsets(
  cluster: Cluster,
  passed_s: number,
): Promise<ReadonlyMap<string, number>> {
  const offsetOf = (time_ms: number): number =>
    Math.round((time_ms - Date.now()) / 1_000) - passed_s;
  const members = targetsOf(cluster).map(
    async ([name, target]) => [name, offsetOf(await timeOf(target))] as const,
  );
  return new Map([
    ...(await Promise.all(members)),
    ['database', offsetOf(await databaseTime(cluster))],
  ]);
}

/** Where processes answer, by name. */
const targetsOf = ({ members, privates, dataDir }: Cluster): [string, RequestOptions][] => [
  ['vault 1', { socketPath: vaultSocket(dataDir), path: vaultPaths.health }],
  ...members
    .filter(({ role }) => role === 'api' || role === 'worker')
    .map(({ name }, at): [string, RequestOptions] => [
      name,
      urlToHttpOptions(new URL('/readyz', privates[at])),
    ]),
];

/** Node dates its responses, in whole seconds that have begun. */
async function timeOf(target: RequestOptions): Promise<number> {
  const sent = request({ ...target, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return Date.parse(response.headers.date ?? '') + HALF_SECOND_MS;
}

const databaseTime = ({ adminUrl }: Cluster): Promise<number> =>
  withClient(adminUrl, async (client) => {
    const { rows } = await client.query('select extract(epoch from clock_timestamp()) as time');
    return Number(rows[0].time) * 1_000;
  });

/** Notes of `/readyz` of all servers. */
export async function readNotes({ privates }: Cluster): Promise<string[]> {
  const answers = privates.map(async (address) => {
    const { status, notes } = await readReadiness(address);
    return [...(status === 200 ? [] : [`/readyz ${status}`]), ...notes];
  });
  return (await Promise.all(answers)).flat();
}

/** Payments and attempts whose work is due later than soon, although nothing but a clock says so. */
export const countLate = ({ adminUrl }: Cluster): Promise<number> =>
  withClient(adminUrl, async (client) => {
    const { rows } = await client.query(
      `select count(distinct p.id) from payment_demands p left join attempts a on a.payment_demand_id = p.id
       where p.status in ('pending', 'processing')
         and greatest(p.due_at, a.due_at) > clock_timestamp() + interval '10 minutes'`,
    );
    return Number(rows[0].count);
  });
