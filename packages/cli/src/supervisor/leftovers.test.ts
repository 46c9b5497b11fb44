import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../tests/support.ts';
import { createChildRecorder } from './leftovers.ts';

it('a child whose pid cannot be recorded still starts, and the next record includes it', () => {
  const path = join(temporaryDirectory(), 'children.json');
  const recordChild = createChildRecorder(path);
  mkdirSync(`${path}.new`);
  recordChild(process.pid);
  rmdirSync(`${path}.new`);
  recordChild(process.ppid);
  const pids = JSON.parse(readFileSync(path, 'utf8')).map(({ pid }: { pid: number }) => pid);
  expect(pids).toEqual([process.pid, process.ppid]);
});
