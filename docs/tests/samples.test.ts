import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, it } from 'vitest';
import { useApi } from '../../packages/server/tests/support/api.ts';
import { type Language, languages } from '../src/samples/languages.ts';
import { programOf, runtimeOf } from '../src/samples/program.ts';
import { stepsOf } from '../src/samples/steps.ts';
import { readPages } from '../src/site/pages.ts';
import { PAGES } from '../src/site/write.ts';
import { runSteps } from './support/run-steps.ts';

const api = useApi();
const folder = mkdtempSync(join(tmpdir(), 'florin-samples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runnablePages = readPages(PAGES)
  .map(({ path, markdown }) => ({ path, steps: stepsOf(markdown) }))
  .filter(({ steps }) => steps.length > 0);

/** A sandbox of its own, so that the pages cannot disturb each other. */
async function makeTarget() {
  const { baseUrl } = api.stack;
  const { credentials } = await api.fixtures.makeDemoMerchant(baseUrl);
  return { baseUrl, key: credentials.sandbox.secret_key };
}

const isInstalled = (language: Language): boolean =>
  spawnSync('which', [runtimeOf(language).command[0] ?? '']).status === 0;

/** Runs a page's samples as one program. */
async function runProgram(language: Language, path: string): Promise<void> {
  const { baseUrl, key } = await makeTarget();
  const steps = runnablePages.find((page) => page.path === path)?.steps ?? [];
  const file = join(folder, `${path.replaceAll('/', '-')}.${language.extension}`);
  writeFileSync(file, programOf(language, steps));
  const [command = '', ...args] = runtimeOf(language).command;
  await promisify(execFile)(command, [...args, file], {
    env: { ...process.env, BASE: baseUrl, KEY: key },
  });
}

// A sample waits for its payments most of the time, so the samples run side by side.
describe.concurrent('the samples of a page', () => {
  it.for(runnablePages)(
    'of $path run, and get the responses that it shows',
    async ({ steps }, { expect }) => {
      await expect(runSteps(await makeTarget(), steps)).resolves.toBeUndefined();
    },
  );

  describe.each(languages)('in $title', (language) => {
    it.skipIf(!isInstalled(language)).for(runnablePages)(
      'run: $path',
      async ({ path }, { expect }) => {
        await expect(runProgram(language, path)).resolves.toBeUndefined();
      },
    );
  });
});
