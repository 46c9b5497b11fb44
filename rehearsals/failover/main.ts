import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { renderTable } from '../../bench/table.ts';
import { createRandom, type Random } from '../../faults/random.ts';
import { readOptions } from '../../scripts/options.ts';
import type { TimedAnswer } from '../support/answers.ts';
import { startCluster } from '../support/cluster.ts';
import { countBy } from '../support/count-by.ts';
import { percentile } from '../support/figures.ts';
import { createPayer } from '../support/payer.ts';
import { type HighAvailability, startHighAvailability } from './database.ts';
import { FAULTS, type FaultName } from './faults.ts';
import { type Probe, startProbe } from './probe.ts';
import { type Round, type RoundPlan, runRound, type Way } from './round.ts';

/** Ways to the leader: HAProxy asks Patroni, or Florin tries the hosts of its address. */
const WAYS = ['haproxy', 'hosts'] as const;
type WayName = (typeof WAYS)[number];

const SEEDS = 2 ** 31;
/** Time of payments before a fault: at least this, and up to as much again. */
const BEFORE_MS = 3_000;

interface Plan extends Pick<RoundPlan, 'per_second' | 'at_once'> {
  readonly rounds: number;
  readonly faults: readonly FaultName[];
  readonly random: Random;
}

/** Runs the rehearsal with the options of the command line. Resolves with the exit code. */
export async function main(): Promise<number> {
  const values = readOptions({
    command: 'npm run rehearse -- failover',
    summary: 'Takes payments over three PostgreSQL under Patroni, while machines fail.',
    options: {
      rounds: { default: '1', description: 'rounds of all faults, each way' },
      faults: { default: Object.keys(FAULTS).join(), description: 'faults of a round' },
      ways: { default: WAYS.join(), description: 'ways to the leader' },
      rate: { default: '20', description: 'payments a second' },
      clients: { default: '8', description: 'number of clients that pay at the same time' },
      keep: { default: 'no', description: 'yes keeps the directory with data and logs' },
      seed: { default: () => String(randomInt(SEEDS)), description: 'order and times of faults' },
    },
  });
  const ways = chosen(values.ways, WAYS);
  const plan: Plan = {
    rounds: Number(values.rounds),
    faults: chosen(values.faults, Object.keys(FAULTS) as FaultName[]),
    per_second: Number(values.rate),
    at_once: Number(values.clients),
    random: createRandom(Number(values.seed)),
  };
  console.log(`Seed ${values.seed}.`);
  await using database = await startHighAvailability(values.keep === 'yes');
  await database.complete();
  await using probe = await startProbe(database);
  const rounds: Round[] = [];
  for (const name of ways) rounds.push(...(await rehearseWay({ database, probe }, name, plan)));
  console.log(renderRounds(rounds));
  return rounds.every(({ differences }) => differences.length === 0) ? 0 : 1;
}

/** Names of a list that is separated by commas. Throws for one that does not exist. */
function chosen<Name extends string>(text: string, names: readonly Name[]): Name[] {
  return text.split(',').map((word) => {
    const name = names.find((each) => each === word);
    if (!name) throw new Error(`"${word}" is none of ${names.join(', ')}.`);
    return name;
  });
}

async function rehearseWay(
  { database, probe }: { readonly database: HighAvailability; readonly probe: Probe },
  name: WayName,
  plan: Plan,
): Promise<Round[]> {
  await using cluster = await startCluster({
    dataDir: join(database.directory, name),
    postgresUrl: database.url,
    apis: 2,
    workers: 2,
    ...(name === 'hosts' && { reach: database.withHosts }),
  });
  const answers: TimedAnswer[] = [];
  const payer = createPayer(cluster.apis, cluster.secretKey, (answer) =>
    answers.push({ ...answer, at: performance.now() }),
  );
  await payer.prepare();
  const way: Way = { name, database, probe, cluster, payer, answers };
  const rounds: Round[] = [];
  for (let number = 1; number <= plan.rounds; number += 1) {
    for (const fault of shuffled(plan)) {
      const before_ms = BEFORE_MS + plan.random.upTo(BEFORE_MS);
      const round = await runRound(way, {
        ...plan,
        fault,
        before_ms,
        name: `${fault} ${number}`,
      });
      console.log(describeRound(round));
      rounds.push(round);
    }
  }
  return rounds;
}

const shuffled = ({ faults, random }: Plan): readonly FaultName[] =>
  faults
    .map((fault) => ({ fault, rank: random.upTo(SEEDS) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ fault }) => fault);

/** Differences of a round that are printed. */
const SHOWN_MAX = 10;

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

const describeRound = ({ way, fault, gap_ms, differences }: Round): string =>
  [
    `${way}: ${FAULTS[fault].description}: ${seconds(gap_ms)} s without payments`,
    ...differences.slice(0, SHOWN_MAX),
    ...(differences.length > SHOWN_MAX ? [`and ${differences.length - SHOWN_MAX} more`] : []),
  ].join('\n');

function renderRounds(rounds: readonly Round[]): string {
  const groups = [...Map.groupBy(rounds, ({ way, fault }) => `${way} ${fault}`).values()];
  return renderTable(
    [
      'way',
      'fault',
      'rounds',
      'gap p50 (s)',
      'gap p99 (s)',
      'of the database p50 (s)',
      'copied again',
      'payments',
      'failed requests',
      'differences',
    ],
    groups.map(renderGroup),
  );
}

function renderGroup(group: readonly Round[]): string[] {
  const { way, fault } = group[0] as Round;
  const gaps = group.map(({ gap_ms }) => gap_ms);
  return [
    way,
    FAULTS[fault].description,
    String(group.length),
    seconds(percentile(gaps, 0.5)),
    seconds(percentile(gaps, 0.99)),
    seconds(
      percentile(
        group.map(({ database_gap_ms }) => database_gap_ms),
        0.5,
      ),
    ),
    String(group.reduce((sum, { copied }) => sum + copied.length, 0)),
    String(group.reduce((sum, { payments }) => sum + payments, 0)),
    countBy(group.flatMap(({ failed }) => failed)),
    String(group.reduce((sum, { differences }) => sum + differences.length, 0)),
  ];
}
