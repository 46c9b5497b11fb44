import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../../scripts/options.ts';
import { WARM_UP_SECONDS } from '../measure-rows.ts';
import { chooseRow } from '../profile/choose-row.ts';
import { recordWhile, startWith } from '../profile/profiler.ts';
import { rows } from '../rows.ts';
import { createTestbed } from '../testbed.ts';
import { renderSlowest } from './attribute.ts';
import { SPANS_FILE, type Span } from './spans.ts';
import { renderWaits, sampleWaits } from './wait-events.ts';

const options = readOptions({
  command: 'npm run bench:slowest',
  summary: 'Says where the slowest requests of a row of the bench waited.',
  options: {
    row: { default: 'p99 of a create at half the load', description: 'part of a row’s name' },
    seconds: { default: '10', description: 'seconds to run the row' },
    requests: { default: 'POST /v2/payment_demands', description: 'beginning of method and path' },
  },
});

async function main(): Promise<void> {
  const row = chooseRow(rows, options.row);
  if (typeof row === 'string') {
    console.error(row);
    process.exitCode = 2;
    return;
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'florin-slowest-'));
  const module = join(import.meta.dirname, 'in-process.ts');
  try {
    const nodeOptions = startWith(dataDir, module, dataDir);
    await using testbed = await createTestbed({ dataDir, nodeOptions });
    await row.measure(testbed, WARM_UP_SECONDS);
    const { result, waits } = await sampleWaits(testbed, () =>
      recordWhile(testbed, [join(dataDir, SPANS_FILE)], () =>
        row.measure(testbed, Number(options.seconds)),
      ),
    );
    console.log(`${row.name}: ${JSON.stringify(result)} ${row.unit}\n`);
    const spans: Span[] = JSON.parse(readFileSync(join(dataDir, SPANS_FILE), 'utf8'));
    console.log(renderSlowest(spans, (name) => name.startsWith(options.requests)));
    console.log(`\n${renderWaits(waits)}`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
