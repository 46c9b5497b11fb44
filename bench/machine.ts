import { cpus, totalmem } from 'node:os';
import type { Testbed } from './testbed.ts';

/** A sentence about the machine, its versions, and whether commits are durable. */
export async function machineOf(testbed: Testbed): Promise<string> {
  const [settings] = await testbed.query<{ version: string; fsync: string; commit: string }>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as commit`,
  );
  const [cpu] = cpus();
  return [
    `${cpus().length} cores of ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version},`,
    `PostgreSQL ${settings?.version} (fsync ${settings?.fsync}, synchronous_commit ${settings?.commit}), load from the same machine.`,
  ].join(' ');
}
