import { readOptions, wholeNumber } from '../../scripts/options.ts';
import { untilInterrupted } from '../interruption.ts';
import { machineOf } from '../machine.ts';
import { WARM_UP_SECONDS } from '../measure-rows.ts';
import { processWord, renderMemory } from '../memory.ts';
import { measureConfirmed, nextConfirmed } from '../payment-rows.ts';
import { untilSettled } from '../payments.ts';
import { countOf, endStep, showStep } from '../progress.ts';
import { runCommand } from '../run-command.ts';
import { renderTable } from '../table.ts';
import { createTestbed, type Testbed } from '../testbed.ts';
import { JUDGED_MINUTES_MIN, type Minutes, type Trend, trendsOf } from './trend.ts';

const MINUTES_MAX = 7 * 24 * 60;
const RATE_MAX = 100_000;
const parseRate = wholeNumber(1, RATE_MAX);

const options = readOptions({
  command: 'npm run bench:soak',
  summary:
    'Runs confirmed payments at half of the full rate, and fails if the memory of a process grows.',
  options: {
    minutes: {
      default: '60',
      description: 'length of the run',
      parse: wholeNumber(1, MINUTES_MAX),
    },
    rate: {
      default: '',
      description: 'payments a second; default: half of the measured rate',
      parse: (text: string, name: string) => (text ? parseRate(text, name) : undefined),
    },
  },
});
/** Growth that counts as flat, as a share. */
const GROWTH_MAX = 0.05;
const CALIBRATION_SECONDS = 10;
const MINUTE_SECONDS = 60;
const CONNECTIONS = 64;
const PERCENT = 100;

async function main(): Promise<void> {
  const { minutes } = options;
  await using testbed = await createTestbed();
  console.log(await machineOf(testbed));
  const rate = options.rate ?? (await untilInterrupted(halfRate(testbed)));
  console.log(`${countOf(minutes, 'minute')} of ${countOf(rate, 'payment')} a second.\n`);
  const memory = await soak(testbed, minutes, rate);
  await untilInterrupted(untilSettled(testbed));
  if (minutes < JUDGED_MINUTES_MIN) console.log(TOO_SHORT);
  else conclude(trendsOf(memory));
}

const TOO_SHORT = `\nThis run is too short to judge the growth of memory. ${JUDGED_MINUTES_MIN} minutes are needed.`;

async function halfRate(testbed: Testbed): Promise<number> {
  showStep('measuring the full rate');
  await measureConfirmed(testbed, WARM_UP_SECONDS);
  const { figure } = await measureConfirmed(testbed, CALIBRATION_SECONDS);
  endStep();
  return Math.max(1, Math.round(figure / 2));
}

/** Prints a line for each minute. A refused payment ends the run. */
async function soak(testbed: Testbed, minutes: number, rate: number): Promise<Minutes> {
  const next = await nextConfirmed(testbed);
  const memory: Readonly<Record<string, number>>[] = [];
  const load = { next, connections: CONNECTIONS, seconds: MINUTE_SECONDS, per_second_max: rate };
  while (memory.length < minutes) {
    const { per_second, p99_ms, refused } = await untilInterrupted(testbed.load(load));
    if (refused > 0) throw new Error(`${countOf(refused, 'payment')} of a minute were refused`);
    const now = testbed.memory();
    memory.push(now);
    console.log(
      `minute ${memory.length}: ${Math.round(per_second)}/s, p99 ${Math.round(p99_ms)} ms; ${renderMemory(now)}`,
    );
  }
  return memory;
}

function conclude(trends: readonly Trend[]): void {
  const lines = trends.map(({ process, before, after, growth }) => [
    processWord(process),
    String(before),
    String(after),
    `${(growth * PERCENT).toFixed(1)} %`,
  ]);
  const headers = ['process', 'MB, second quarter', 'MB, last quarter', 'growth'];
  console.log(`\n${renderTable(headers, lines)}`);
  const growing = trends.filter(({ growth }) => !(growth <= GROWTH_MAX));
  if (growing.length === 0) return;
  const names = growing.map(({ process }) => processWord(process)).join(', ');
  throw new Error(`Memory grew by more than ${GROWTH_MAX * PERCENT} %: ${names}.`);
}

await runCommand(main);
