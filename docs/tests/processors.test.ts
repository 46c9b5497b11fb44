import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startProcesses } from '@florin/dev-env/start-processes.ts';
import { expect, it, onTestFinished } from 'vitest';
import { fencesOf } from '../src/site/fences.ts';
import { readPages } from '../src/site/pages.ts';
import { PAGES } from '../src/site/write.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const REASON = 'check="processors.test.ts runs these commands"';

const page = readPages(PAGES).find(({ path }) => path === 'operate/processors')?.markdown ?? '';
const commands = fencesOf(page)
  .filter(({ kind, flags }) => kind === 'sh' && flags === REASON)
  .map(({ content }) => content);
const shownTexts = fencesOf(page)
  .filter(({ kind }) => kind === 'text')
  .map(({ content }) => content.replace(/\([\da-f-]{36}\)/g, '(ID)').trim());

it('the commands of the page on processors run in order, and print what it shows', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'florin-processors-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  await using florin = await startProcesses({ dataDir });
  const env = { ...process.env, FLORIN_DATA: florin.dataDir };
  expect(commands.length).toBeGreaterThan(3);
  const script = commands.join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    env,
    cwd: ROOT,
  });
  const output = stdout.replace(/\([\da-f-]{36}\)/g, '(ID)');
  expect(shownTexts.filter((text) => text.includes('takes the payment'))).toHaveLength(1);
  for (const text of shownTexts.filter((shown) => shown.includes('takes the payment')))
    expect(output).toContain(text);
  expect(output).toMatch(/^[\da-f-]{36} {2}US +checkout_com +sandbox +enabled/m);
  expect(output).toContain('Removed US (ID) and its secrets.');
}, 180_000);
