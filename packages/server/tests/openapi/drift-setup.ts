import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { driftOf, reportDrift } from './drift.ts';

const DOCUMENT_PATH = join(import.meta.dirname, '../../../../docs/openapi.json');

/** Collects the operations that workers saw, and finally compares them with the OpenAPI document. */
export function setup(project: TestProject): () => Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'florin-seen-'));
  process.env.FLORIN_TEST_SEEN = directory;
  return async () => {
    try {
      const drift = driftOf(
        JSON.parse(readFileSync(DOCUMENT_PATH, 'utf8')),
        readOperations(directory),
      );
      const line = reportDrift(drift, await isFull(project));
      if (line) console.log(line);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  };
}

const readOperations = (directory: string): ReadonlySet<string> =>
  new Set(
    readdirSync(directory)
      .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'))
      .filter((line) => line !== ''),
  );

/** Whether every test of the repository ran, without filters or failures. */
async function isFull(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles();
  const modules = project.vitest.state.getTestModules();
  const isComplete = modules.length === testFiles.length && !project.config.testNamePattern;
  return isComplete && modules.every((module) => module.ok());
}
