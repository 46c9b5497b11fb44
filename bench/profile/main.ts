import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { readOptions } from '../../scripts/options.ts';
import { ensureChromium } from '../../scripts/setup/chromium.ts';
import type { Row } from '../row.ts';
import { rows } from '../rows.ts';
import { createTestbed } from '../testbed.ts';
import { captureRow } from './capture.ts';
import { chooseRow } from './choose-row.ts';
import { profileFileOf } from './profile-file.ts';
import { PROFILED, prepareProfiler } from './profiler.ts';
import { renderCapture } from './render.ts';
import { enableStatements, renderQueries } from './statements.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const options = readOptions({
  command: 'npm run profile',
  summary: 'Profiles server, vault and PostgreSQL while a row of the bench runs.',
  options: {
    row: { default: 'create confirmed, until succeeded', description: 'part of a row’s name' },
    seconds: { default: '5', description: 'seconds to run the row' },
  },
});

async function main(): Promise<void> {
  const row = chooseRow(rows, options.row);
  if (typeof row === 'string') return refuse(row);
  if (row.browser) await ensureChromium();
  const folder = join(ROOT, 'bench', 'profiles', startName());
  mkdirSync(folder, { recursive: true });
  const dataDir = mkdtempSync(join(tmpdir(), 'florin-profile-'));
  try {
    await profileRow(row, folder, dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function refuse(reason: string): void {
  console.error(reason);
  process.exitCode = 2;
}

/** The time as a name that files may have, such as `2026-11-27T12-05-09`. */
const startName = (): string => new Date().toISOString().slice(0, 19).replaceAll(':', '-');

async function profileRow(row: Row, folder: string, dataDir: string): Promise<void> {
  console.log('Starting Florin with the profiler.');
  const hasStatements = await enableStatements(dataDir);
  const nodeOptions = prepareProfiler(dataDir, folder);
  await using testbed = await createTestbed({ dataDir, nodeOptions });
  const seconds = Number(options.seconds);
  const capture = await captureRow(testbed, row, { seconds, folder, hasStatements });
  const written = [
    writeInto(folder, 'report.txt', renderCapture(capture, ROOT)),
    ...(hasStatements
      ? [writeInto(folder, 'statements.sql', renderQueries(capture.statements))]
      : []),
    ...PROFILED.map((program) => join(folder, profileFileOf(program))),
  ];
  console.log(renderCapture(capture, ROOT));
  console.log('\nWritten:');
  for (const path of written) console.log(`  ${relative(process.cwd(), path)}`);
  console.log('Chrome DevTools (Performance) and VS Code open the .cpuprofile files.');
}

function writeInto(folder: string, file: string, text: string): string {
  const path = join(folder, file);
  writeFileSync(path, `${text}\n`);
  return path;
}

await main();
