import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { intentBody } from '../payments.ts';
import type { Testbed } from '../testbed.ts';
import { PAGE_SIZE, type Peer } from './peers.ts';

/** A running program that takes part in the comparison. */
export interface Contender extends AsyncDisposable {
  readonly name: string;
  readonly keeps: string;
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly create: { readonly path: string; readonly body: string };
  readonly page: string;
}

/** Connections that each peer may have to PostgreSQL. */
const CONNECTIONS_MAX = 16;
const START_LIMIT_MS = 120_000;

export const florinOf = ({ florin, headers }: Testbed): Contender => ({
  name: 'Florin',
  keeps: 'PostgreSQL: a payment and its event',
  origin: florin.baseUrl,
  headers,
  create: { path: '/v2/payment_demands', body: intentBody },
  page: `/v2/payment_demands?page[size]=${PAGE_SIZE}`,
  async [Symbol.asyncDispose]() {},
});

/** Starts the peer's program from `folder`, with a new database in the testbed's PostgreSQL. */
export async function startPeer(
  testbed: Testbed,
  { program, ...peer }: Peer,
  folder: string,
): Promise<Contender> {
  const connection = await createDatabase(testbed, program);
  const settings = { connection, connections_max: CONNECTIONS_MAX, page_size: PAGE_SIZE };
  const child = fork(join(folder, program), [JSON.stringify(settings)], { cwd: folder });
  const exited = once(child, 'exit');
  const signal = AbortSignal.timeout(START_LIMIT_MS);
  const failed = exited.then(() => Promise.reject(new Error(`${peer.name} ended at its start`)));
  const [port] = await Promise.race([once(child, 'message', { signal }), failed]);
  return {
    ...peer,
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

async function createDatabase({ databaseUrl, query }: Testbed, program: string) {
  const database = `peer_${program.replace(/\W/g, '_')}`;
  await query(`create database ${database}`);
  const { searchParams, username, password } = new URL(databaseUrl);
  const host = searchParams.get('host') ?? '';
  const port = Number(searchParams.get('port'));
  return { host, port, user: username, password, database };
}
