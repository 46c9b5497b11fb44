import { execFileSync } from 'node:child_process';
import type { Processes } from '@florin/dev-env/start-processes.ts';
import type { Client, ResourceObject } from './client.ts';

/** Kills the supervisor and its children together, so that no process can finish its work. */
export async function killAll({ pid, kill }: Processes): Promise<void> {
  const children = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  const gone = kill();
  for (const child of children) process.kill(Number(child), 'SIGKILL');
  await gone;
}

/** Reads all records of a type, page by page. */
export async function allRecords(client: Client, type: string): Promise<ResourceObject[]> {
  const records: ResourceObject[] = [];
  for (let path: string | undefined = `/v2/${type}?page[size]=500`; path; ) {
    const { body } = await client.get(path);
    records.push(...body.data);
    path = body.links.next;
  }
  return records;
}
