import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createResults } from './results.ts';

const directory = mkdtempSync(join(tmpdir(), 'florin-bench-'));
afterAll(() => rmSync(directory, { recursive: true }));

it('a run that ends early has left each figure that it measured', () => {
  const path = join(directory, 'results.json');
  const readResults = () => JSON.parse(readFileSync(path, 'utf8'));
  const head = { machine: 'two cores', seconds: 5, rounds: 3 };
  const results = createResults(path, head, ['fetch', 'create']);
  expect(existsSync(path)).toBe(false);
  const processor_ms = { server: 0.6, vault: 0.2, postgresql: 1, simulator: 0.1, load: 0.1 };
  results.add('fetch', 700);
  results.add('create', { figure: 90.5, processor_ms });
  results.add('fetch', 710);
  const measured = {
    figures: { fetch: [700, 710], create: [90.5] },
    processor_ms_per_operation: { create: [processor_ms] },
  };
  expect(readResults()).toEqual({ ...head, finished: false, ...measured });
  results.finish({ server: 200 });
  expect(readResults()).toEqual({ ...head, finished: true, ...measured, memory: { server: 200 } });
});
