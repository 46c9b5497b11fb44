import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions } from '../../scripts/options.ts';
import { ensureChromium } from '../../scripts/setup/chromium.ts';
import { chooseOne } from '../choose.ts';
import { makeFolder } from '../folders.ts';
import { untilInterrupted } from '../interruption.ts';
import { WARM_UP_SECONDS } from '../measure-rows.ts';
import { parseSeconds } from '../options.ts';
import { recordWhile, startWith } from '../profile/profiler.ts';
import { endStep, showStep } from '../progress.ts';
import { rows } from '../rows.ts';
import { runCommand } from '../run-command.ts';
import { roundText } from '../table.ts';
import { createTestbed, type Testbed } from '../testbed.ts';
import { renderSlowest } from './attribute.ts';
import { SPANS_FILE, type Span } from './spans.ts';
import { renderWaits, sampleWaits } from './wait-events.ts';

const { row, seconds, requests } = readOptions({
  command: 'npm run bench:slowest',
  summary: 'Says where the slowest requests of a row of the bench waited.',
  options: {
    row: {
      default: 'p99 of a create at half the load',
      description: 'part of a row’s name',
      parse: chooseOne(rows, 'row'),
    },
    seconds: { default: '10', description: 'seconds to run the row', parse: parseSeconds },
    requests: { default: 'POST /v2/payment_demands', description: 'beginning of method and path' },
  },
});

async function main(): Promise<void> {
  if (row.browser) await ensureChromium();
  const dataDir = makeFolder('slowest');
  const nodeOptions = startWith(dataDir, join(import.meta.dirname, 'in-process.ts'), dataDir);
  await using testbed = await createTestbed({ dataDir, nodeOptions });
  const file = join(dataDir, SPANS_FILE);
  const { result, waits } = await untilInterrupted(measure(testbed, file));
  const figure = typeof result === 'number' ? result : result.figure;
  console.log(`${row.name}: ${roundText(figure)} ${row.unit}`);
  if (row.name.includes('p99')) console.log(CLOCKS);
  const spans: Span[] = JSON.parse(readFileSync(file, 'utf8'));
  console.log(`\n${renderSlowest(spans, (name) => name.startsWith(requests))}`);
  console.log(`\n${renderWaits(waits)}`);
}

const CLOCKS =
  'A p99 at a rate counts from the time when a request was due. The requests below count from their arrival at the server.';

async function measure(testbed: Testbed, file: string) {
  showStep(`warm-up: ${row.name}`);
  await row.measure(testbed, WARM_UP_SECONDS);
  showStep(`measuring for ${seconds} s: ${row.name}`);
  const run = () => recordWhile(testbed, [file], async () => row.measure(testbed, seconds));
  try {
    return await sampleWaits(testbed, run);
  } finally {
    endStep();
  }
}

await runCommand(main);
