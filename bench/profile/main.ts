import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readOptions } from '../../scripts/options.ts';
import { ensureChromium } from '../../scripts/setup/chromium.ts';
import { chooseOne } from '../choose.ts';
import { makeFolder } from '../folders.ts';
import { untilInterrupted } from '../interruption.ts';
import { parseSeconds } from '../options.ts';
import type { Row } from '../row.ts';
import { rows } from '../rows.ts';
import { runCommand } from '../run-command.ts';
import { createTestbed } from '../testbed.ts';
import { captureRow } from './capture.ts';
import { profileFileOf } from './profile-file.ts';
import { PROFILED, prepareProfiler } from './profiler.ts';
import { renderCapture } from './render.ts';
import { enableStatements, renderQueries } from './statements.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const { row, seconds } = readOptions({
  command: 'npm run profile',
  summary: 'Profiles server, vault and PostgreSQL while a row of the bench runs.',
  options: {
    row: {
      default: 'create confirmed, until succeeded',
      description: 'part of a row’s name',
      parse: chooseOne(rows, 'row'),
    },
    seconds: { default: '5', description: 'seconds to run the row', parse: parseSeconds },
  },
});

async function main(): Promise<void> {
  if (row.browser) await ensureChromium();
  const folder = join(ROOT, 'bench', 'profiles', startName());
  const { capture, recordings } = await profileRow(row);
  cpSync(recordings, folder, { recursive: true });
  const report = renderCapture(capture, ROOT);
  const written = [
    writeInto(folder, 'report.txt', report),
    ...(capture.hasStatements
      ? [writeInto(folder, 'statements.sql', renderQueries(capture.statements))]
      : []),
    ...PROFILED.map((program) => join(folder, profileFileOf(program))),
  ];
  console.log(report);
  console.log('\nWritten:');
  for (const path of written) console.log(`  ${relative(process.cwd(), path)}`);
  console.log('Chrome DevTools (Performance) and VS Code open the .cpuprofile files.');
}

/** The time as a name that files may have, such as `2026-11-27T12-05-09`. */
const startName = (): string => new Date().toISOString().slice(0, 19).replaceAll(':', '-');

/** Returns the capture, and the folder with the profiles of the processes. */
async function profileRow(row: Row) {
  console.log('Starting Florin with the profiler.');
  const dataDir = makeFolder('profile');
  const recordings = join(dataDir, 'recordings');
  mkdirSync(recordings);
  const hasStatements = await enableStatements(dataDir);
  const nodeOptions = prepareProfiler(dataDir, recordings);
  await using testbed = await createTestbed({ dataDir, nodeOptions });
  const options = { seconds, folder: recordings, hasStatements };
  return { capture: await untilInterrupted(captureRow(testbed, row, options)), recordings };
}

function writeInto(folder: string, file: string, text: string): string {
  const path = join(folder, file);
  writeFileSync(path, `${text}\n`);
  return path;
}

await runCommand(main);
