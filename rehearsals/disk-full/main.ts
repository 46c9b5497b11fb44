import { mountSmallDisk } from '@florin/dev-env/small-disk.ts';
import { renderTable } from '../../bench/table.ts';
import { readOptions } from '../../scripts/options.ts';
import { countBy } from '../support/count-by.ts';
import { disposeOnSignal } from '../support/environment.ts';
import { type Round, rehearseDiskFull } from './run.ts';

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run rehearse -- disk-full',
    summary: 'Takes payments on a small disk, fills it, and frees it again.',
    options: {
      rounds: { default: '3', description: 'times that the disk is full' },
      seconds: { default: '30', description: 'seconds for which it is full' },
      around: { default: '5', description: 'seconds of payments before and after that' },
      megabytes: { default: '512', description: 'size of the disk' },
      rate: { default: '20', description: 'payments a second' },
      clients: { default: '8', description: 'number of clients that pay at the same time' },
    },
  });
  using disk = mountSmallDisk('/tmp', { size: `${values.megabytes}m`, mode: '711' });
  if (!disk) throw new Error('This rehearsal mounts a small disk, which only root may.');
  disposeOnSignal(async () => disk[Symbol.dispose]());
  const rounds = await rehearseDiskFull({
    disk,
    rounds: Number(values.rounds),
    full_ms: Number(values.seconds) * 1_000,
    around_ms: Number(values.around) * 1_000,
    per_second: Number(values.rate),
    at_once: Number(values.clients),
    onRound: (round) => console.error(describeRound(round)),
  });
  console.log(renderRounds(rounds));
  return rounds.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

/** Lists what Florin reported, for a person who decides whether it helps. */
const describeRound = ({ printed, doctor, readiness, postgres, logs }: Round): string =>
  [
    `/readyz: ${countBy(readiness)}`,
    `supervisor: ${countBy(printed)}`,
    `florin doctor: ${doctor.join(' ')}`,
    `PostgreSQL: ${countBy(postgres)}`,
    `logs: ${countBy(logs)}`,
  ].join('\n');

const renderRounds = (rounds: readonly Round[]): string =>
  [
    renderTable(
      [
        'round',
        'without payments (s)',
        'after the disk is free (s)',
        'payments',
        'failed requests',
        'restarts of processes',
        'differences',
      ],
      rounds.map((round, at) => [
        String(at + 1),
        seconds(round.gap_ms),
        seconds(round.return_ms),
        String(round.payments),
        countBy(round.failed),
        countBy(round.restarted),
        String(round.differences.length),
      ]),
    ),
    ...rounds.flatMap(({ differences }) => differences),
  ].join('\n');
