import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from '@florin/server/features/demo/credentials.ts';
import { renderTable } from '../../bench/table.ts';
import { readOptions } from '../../scripts/options.ts';
import { startCluster } from '../support/cluster.ts';
import { countBy } from '../support/count-by.ts';
import { openEnvironment } from '../support/environment.ts';
import { createPayer } from '../support/payer.ts';
import { createTimeline } from '../support/timeline.ts';
import { createFakeClocks, type FakeClocks, wrapPostgres } from './fake-clocks.ts';
import { type Round, type RoundPlan, runRound, type Setting } from './round.ts';

const ALL = ['api 1', 'api 2', 'worker 1', 'worker 2', 'vault 1', 'database'];
/** Processes whose clocks jump together, by the name of the round. */
const JUMPING: Readonly<Record<string, readonly string[]>> = {
  api: ['api 1'],
  worker: ['worker 1'],
  vault: ['vault 1'],
  database: ['database'],
  all: ALL,
};

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run rehearse -- clock',
    summary: 'Takes payments while clocks of processes jump, and jump back.',
    options: {
      jumping: { default: Object.keys(JUMPING).join(), description: 'whose clocks jump' },
      offsets: { default: '3600,-3600', description: 'seconds of a jump' },
      apart: { default: '10', description: 'seconds until the jump back' },
      around: { default: '4', description: 'seconds of payments before and after that' },
      rate: { default: '20', description: 'payments a second' },
      clients: { default: '8', description: 'number of clients that pay at the same time' },
    },
  });
  let clocks: FakeClocks | undefined;
  await using environment = await openEnvironment((directory) => {
    clocks = createFakeClocks(join(directory, 'clocks'));
    return wrapPostgres(directory, clocks.envOf('database'));
  });
  const plans = values.jumping.split(',').flatMap((name) =>
    values.offsets
      .split(',')
      .map(Number)
      .map((offset_s) => ({
        name: `${name} ${offset_s} s`,
        jumping: JUMPING[name] ?? [],
        offset_s,
        around_ms: Number(values.around) * 1_000,
        apart_ms: Number(values.apart) * 1_000,
        per_second: Number(values.rate),
        at_once: Number(values.clients),
      })),
  );
  const rounds = await rehearse(environment, clocks as FakeClocks, plans);
  console.log(renderRounds(rounds));
  return rounds.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

async function rehearse(
  { directory, postgres }: Awaited<ReturnType<typeof openEnvironment>>,
  clocks: FakeClocks,
  plans: readonly RoundPlan[],
): Promise<Round[]> {
  const dataDir = join(directory, 'd');
  const postgresUrl = postgres.url('postgres');
  const options = { dataDir, postgresUrl, apis: 2, workers: 2, processEnvOf: clocks.envOf };
  await using cluster = await startCluster(options);
  const { answers, onAnswer } = createTimeline();
  const payer = createPayer(cluster.apis, cluster.secretKey, onAnswer);
  const credentials = await readFile(join(dataDir, 'credentials.json'), 'utf8');
  const { account } = JSON.parse(credentials) as Credentials;
  const setting: Setting = { cluster, clocks, payer, answers, account };
  const rounds: Round[] = [];
  for (const plan of plans) {
    const round = await runRound(setting, plan);
    console.error(renderRounds([round]), `\n/readyz: ${countBy(round.notes)}`);
    rounds.push(round);
  }
  return rounds;
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

const renderRounds = (rounds: readonly Round[]): string =>
  [
    renderTable(
      [
        'jump',
        'seen (s)',
        'without payments (s)',
        'late payments',
        'until idle (s)',
        'payments',
        'failed requests',
        'session meanwhile, after',
        'differences',
      ],
      rounds.map((round) => [
        round.name,
        round.seen.join(' '),
        seconds(round.gap_ms),
        String(round.late),
        seconds(round.idle_ms),
        String(round.payments),
        countBy(round.failed),
        round.sessions,
        String(round.differences.length),
      ]),
    ),
    ...rounds.flatMap(({ name, differences }) => differences.map((text) => `${name}: ${text}`)),
  ].join('\n');
