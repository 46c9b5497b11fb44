import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WARM_UP_SECONDS } from '../measure-rows.ts';
import type { Measurement, Row } from '../row.ts';
import type { Testbed } from '../testbed.ts';
import type { CpuProfile } from './functions.ts';
import { profileFileOf } from './profile-file.ts';
import { PROFILED, profileWhile } from './profiler.ts';
import { readStatements, resetStatements, type StatementCost } from './statements.ts';
import { readWal, readWalEnd, type WalRecords } from './write-ahead-log.ts';

/** Recorded by PostgreSQL. */
interface Recorded {
  readonly statements: readonly StatementCost[];
  /** Absent where PostgreSQL cannot read its own log. */
  readonly wal?: readonly WalRecords[];
}

/** Everything that was recorded while a row ran: its metered part, or all of it if it has none. */
export interface Capture extends Recorded {
  readonly row: Row;
  readonly measured: Measurement;
  readonly seconds: number;
  /** Operations that the row measured; payments that it created where it does not count. */
  readonly operations: number;
  /** Whether PostgreSQL counts statements. If not, the list is empty. */
  readonly hasStatements: boolean;
  readonly profiles: Readonly<Record<string, CpuProfile>>;
}

interface CaptureOptions {
  readonly seconds: number;
  readonly folder: string;
  readonly hasStatements: boolean;
}

/** Runs a row once to warm up, and again with the profilers of Node and PostgreSQL. */
export async function captureRow(
  testbed: Testbed,
  row: Row,
  { seconds, folder, hasStatements }: CaptureOptions,
): Promise<Capture> {
  console.log(`Warming up: ${row.name}`);
  const isMetered = typeof (await row.measure(testbed, WARM_UP_SECONDS)) !== 'number';
  console.log(`Measuring for ${seconds} s.`);
  const startedAt = new Date();
  let recorded: Recorded = { statements: [] };
  async function metered<Result>(work: () => Promise<Result>): Promise<Result> {
    if (hasStatements) await resetStatements(testbed);
    const walStart = await readWalEnd(testbed);
    const result = await profileWhile(testbed, folder, work);
    const wal = await readWal(testbed, walStart);
    recorded = {
      statements: hasStatements ? await readStatements(testbed) : [],
      ...(wal && { wal }),
    };
    return result;
  }
  const measured = isMetered
    ? await row.measure({ ...testbed, metered }, seconds)
    : await metered(async () => row.measure(testbed, seconds));
  const measurement = typeof measured === 'number' ? { figure: measured } : measured;
  return {
    row,
    measured: measurement,
    seconds,
    operations: measurement.operations ?? (await countPayments(testbed, startedAt)),
    hasStatements,
    ...recorded,
    profiles: Object.fromEntries(
      PROFILED.map((program) => [program, readProfile(folder, program)]),
    ),
  };
}

const readProfile = (folder: string, program: string): CpuProfile =>
  JSON.parse(readFileSync(join(folder, profileFileOf(program)), 'utf8')) as CpuProfile;

async function countPayments(testbed: Testbed, since: Date): Promise<number> {
  const [row] = await testbed.query<{ count: string }>(
    'select count(*) from payment_demands where created_at >= $1',
    [since],
  );
  return Number(row?.count);
}
