import { mountSmallDisk } from '@florin/dev-env/small-disk.ts';
import { afterAll, expect, it } from 'vitest';
import { rehearseDiskFull } from '../../../rehearsals/disk-full/run.ts';

// Only root may mount a disk. The rehearsal `disk-full` has more rounds of more time.
const disk = mountSmallDisk('/tmp', { size: '512m', mode: '711' });
afterAll(() => disk?.[Symbol.dispose]());

it.runIf(disk)(
  'payments survive a full disk, continue by themselves, and the doctor names it',
  {
    timeout: 300_000,
  },
  async () => {
    const rounds = await rehearseDiskFull({
      disk: disk!,
      rounds: 1,
      around_ms: 1_000,
      full_ms: 1_000,
      per_second: 20,
      at_once: 8,
    });
    expect(rounds).toMatchObject([{ differences: [] }]);
    const [round] = rounds;
    expect(round?.doctor).toContainEqual(expect.stringMatching(/0\.0 GiB \(0 %\) are free at /));
    expect(round?.payments).toBeGreaterThan(0);
    expect(round?.failed).toContain('503');
    expect(round?.readiness.at(-1)).toBe('ready');
  },
);
