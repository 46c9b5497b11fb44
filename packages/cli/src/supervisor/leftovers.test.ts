import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../tests/support.ts';
import { identityOf } from '../kernel/process-identity.ts';
import { clearLeftovers, createChildRecorder } from './leftovers.ts';

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

it('a start in a copy of a data directory ends no process of the original', async () => {
  const [path, copy] = [temporaryDirectory(), temporaryDirectory()].map((directory) =>
    join(directory, 'children.json'),
  ) as [string, string];
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  createChildRecorder(path)(child.pid as number);
  copyFileSync(path, copy);
  await clearLeftovers(copy);
  expect(identityOf(child.pid as number)).toBeDefined();
  await clearLeftovers(path);
  expect(await exit).toEqual([null, 'SIGKILL']);
});
