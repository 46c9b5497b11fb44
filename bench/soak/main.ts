import { readOptions } from '../../scripts/options.ts';
import { machineOf } from '../machine.ts';
import { WARM_UP_SECONDS } from '../measure-rows.ts';
import { measureConfirmed, nextConfirmed } from '../payment-rows.ts';
import { untilSettled } from '../payments.ts';
import { grouped } from '../progress.ts';
import { renderTable } from '../table.ts';
import { createTestbed, type Testbed } from '../testbed.ts';
import { MINUTES_MIN, type Minutes, type Trend, trendsOf } from './trend.ts';

const options = readOptions({
  command: 'npm run bench:soak',
  summary:
    'Runs confirmed payments at half of the full rate, and fails if the memory of a process grows.',
  options: {
    minutes: { default: '60', description: 'length of the run' },
    rate: { default: '', description: 'payments a second; default: half of the measured rate' },
  },
});
/** Growth that counts as flat, as a share. */
const GROWTH_MAX = 0.05;
const CALIBRATION_SECONDS = 10;
const MINUTE_SECONDS = 60;
const CONNECTIONS = 64;
const PERCENT = 100;

async function main(): Promise<void> {
  const minutes = Number(options.minutes);
  if (!(Number.isInteger(minutes) && minutes >= MINUTES_MIN))
    return fail(
      `--minutes must be a whole number, ${MINUTES_MIN} or more; it is "${options.minutes}".`,
    );
  await using testbed = await createTestbed();
  console.log(await machineOf(testbed));
  const rate = Number(options.rate) || (await halfRate(testbed));
  console.log(`${minutes} minutes of ${grouped(rate)} payments a second.\n`);
  const memory = await soak(testbed, minutes, rate);
  await untilSettled(testbed);
  conclude(trendsOf(memory));
}

async function halfRate(testbed: Testbed): Promise<number> {
  await measureConfirmed(testbed, WARM_UP_SECONDS);
  const { figure } = await measureConfirmed(testbed, CALIBRATION_SECONDS);
  return Math.max(1, Math.round(figure / 2));
}

/** Prints a line for each minute. A refused payment ends the run. */
async function soak(testbed: Testbed, minutes: number, rate: number): Promise<Minutes> {
  const next = await nextConfirmed(testbed);
  const memory: Readonly<Record<string, number>>[] = [];
  const load = { next, connections: CONNECTIONS, seconds: MINUTE_SECONDS, per_second_max: rate };
  while (memory.length < minutes) {
    const { per_second, p99_ms, refused } = await testbed.load(load);
    if (refused > 0) throw new Error(`${refused} payments were refused`);
    memory.push(testbed.memory());
    const sizes = Object.entries(memory.at(-1) ?? {}).map(([name, mb]) => `${name} ${mb}`);
    console.log(
      `minute ${memory.length}: ${Math.round(per_second)}/s, p99 ${Math.round(p99_ms)} ms; MB: ${sizes.join(', ')}`,
    );
  }
  return memory;
}

function conclude(trends: readonly Trend[]): void {
  const lines = trends.map(({ process, before, after, growth }) => [
    process,
    String(before),
    String(after),
    `${(growth * PERCENT).toFixed(1)} %`,
  ]);
  const headers = ['process', 'MB, second quarter', 'MB, last quarter', 'growth'];
  console.log(`\n${renderTable(headers, lines)}`);
  const growing = trends.filter(({ growth }) => !(growth <= GROWTH_MAX));
  if (growing.length === 0) return;
  const names = growing.map(({ process }) => process).join(', ');
  fail(`Memory grew by more than ${GROWTH_MAX * PERCENT} %: ${names}.`);
}

function fail(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
}

await main();
