import { setTimeout as sleep } from 'node:timers/promises';
import { renderTable } from '../table.ts';
import type { Testbed } from '../testbed.ts';

const SAMPLE_MS = 20;

/** Samples what PostgreSQL's processes wait for, while `work` runs. Counts by type of process and wait event. */
export async function sampleWaits<Result>(
  testbed: Pick<Testbed, 'query'>,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly waits: ReadonlyMap<string, number> }> {
  const waits = new Map<string, number>();
  let isRunning = true;
  const sampling = (async () => {
    while (isRunning) {
      for (const { label } of await testbed.query<{ label: string }>(waitsSql))
        waits.set(label, (waits.get(label) ?? 0) + 1);
      await sleep(SAMPLE_MS);
    }
  })();
  try {
    return { result: await work(), waits };
  } finally {
    isRunning = false;
    await sampling;
  }
}

/** Processes that run, or wait within a statement; not those that wait for a client or for work. */
const waitsSql = `
  select backend_type || ': ' || coalesce(wait_event_type || ' ' || wait_event, 'runs') as label from pg_stat_activity
  where pid <> pg_backend_pid() and wait_event_type is distinct from 'Activity'
    and (state = 'active' or backend_type <> 'client backend')
    and wait_event_type is distinct from 'Client'`;

/** The most common waits first. */
export const renderWaits = (waits: ReadonlyMap<string, number>): string =>
  renderTable(
    ['PostgreSQL', 'samples'],
    [...waits].toSorted((a, b) => b[1] - a[1]).map(([label, count]) => [label, String(count)]),
  );
