import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  expect(readResults()).toEqual({ ...head, finished: false, figures: { fetch: [], create: [] } });
  results.add('fetch', 700);
  results.add('create', 90.5);
  results.add('fetch', 710);
  const figures = { fetch: [700, 710], create: [90.5] };
  expect(readResults()).toEqual({ ...head, finished: false, figures });
  results.finish({ server: 200 });
  expect(readResults()).toEqual({ ...head, finished: true, figures, memory: { server: 200 } });
});
