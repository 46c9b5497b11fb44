import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, it } from 'vitest';
import { useApi } from '../../packages/server/tests/support/api.ts';
import { type Language, languages } from '../src/samples/languages.ts';
import { programOf, requestsOf, runtimeOf } from '../src/samples/program.ts';
import type { SampleRequest } from '../src/samples/request.ts';
import { stepsOf } from '../src/samples/steps.ts';
import { readPages } from '../src/site/pages.ts';
import { PAGES } from '../src/site/write.ts';
import { expectedRequests, recordRequests } from './support/record-requests.ts';
import { runSteps, type Target } from './support/run-steps.ts';

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

/** Runs the samples of pages as one program. */
async function runProgram(
  language: Language,
  pages: readonly (readonly SampleRequest[])[],
  { baseUrl, key }: Target,
): Promise<void> {
  const file = join(folder, `${pages.length}-pages.${language.extension}`);
  writeFileSync(file, programOf(language, pages));
  const [command = '', ...args] = runtimeOf(language).command;
  await promisify(execFile)(command, [...args, file], {
    env: { ...process.env, BASE: baseUrl, KEY: key },
  });
}

// A sample waits for its payments most of the time, so the samples run side by side.
describe.concurrent('the samples', () => {
  it.for(runnablePages)(
    'of $path run, and get the responses that it shows',
    async ({ steps }, { expect }) => {
      await expect(runSteps(await makeTarget(), steps)).resolves.toBeUndefined();
    },
  );

  describe.each(languages)('in $title', (language) => {
    it.skipIf(!isInstalled(language))('make a first payment', async ({ expect }) => {
      const page = runnablePages.find(({ path }) => path === 'start/first-payment')!;
      const running = runProgram(language, [requestsOf(page.steps)], await makeTarget());
      await expect(running).resolves.toBeUndefined();
    });

    // The first test proves what the requests do. This one proves that every language sends the same ones.
    it.skipIf(!isInstalled(language))('send the requests of all pages', async ({ expect }) => {
      const pages = runnablePages.map(({ steps }) => requestsOf(steps));
      await using server = await recordRequests();
      await runProgram(language, pages, { baseUrl: server.url, key: 'ept_sandbox_s' });
      expect(server.received).toEqual(expectedRequests(pages));
    });
  });
});
