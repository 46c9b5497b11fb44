import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { identityOf } from '../src/kernel/process-identity.ts';
import { isHeld, takeLock } from '../src/supervisor/lock.ts';
import { temporaryDirectory } from './support.ts';

const writeHolder = (directory: string, holder: object) =>
  writeFileSync(join(directory, 'florin.lock'), JSON.stringify(holder));

const ownHolder = { pid: process.pid, identity: identityOf(process.pid), stopping: false };

describe('the lock of a data directory', () => {
  it('is removed when its holder releases it', async () => {
    const directory = temporaryDirectory();
    (await takeLock(directory))[Symbol.dispose]();
    expect(existsSync(join(directory, 'florin.lock'))).toBe(false);
  });

  it.each([
    ['a process that has ended', async () => ({ ...ownHolder, pid: await endedPid() })],
    ['an earlier process of the same number', async () => ({ ...ownHolder, identity: 'earlier' })],
  ])('is taken over from %s', async (_name, holder) => {
    const directory = temporaryDirectory();
    writeHolder(directory, await holder());
    using lock = await takeLock(directory);
    expect(lock).toBeDefined();
  });

  it('is taken over from an incomplete file', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'florin.lock'), '{"pid":');
    using lock = await takeLock(directory);
    expect(lock).toBeDefined();
  });

  it('is free in a copy of the directory of a running Florin', async () => {
    const [directory, copy] = [temporaryDirectory(), temporaryDirectory()];
    using lock = await takeLock(directory);
    cpSync(directory, copy, { recursive: true });
    expect([lock && isHeld(directory), isHeld(copy)]).toEqual([true, false]);
    using lockOfCopy = await takeLock(copy);
    expect(lockOfCopy).toBeDefined();
  });

  it('lets a Florin stop even if its stop note cannot be written', async () => {
    const directory = temporaryDirectory();
    using lock = await takeLock(directory);
    mkdirSync(join(directory, `florin.lock.${process.pid}`));
    expect(() => lock.markStopping()).not.toThrow();
  });

  it('waits for a stopping holder, for longer than for a running one, which it names', async () => {
    const [stoppingDir, runningDir] = [temporaryDirectory(), temporaryDirectory()];
    const firstLock = await takeLock(stoppingDir);
    firstLock.markStopping();
    writeHolder(runningDir, ownHolder);
    let isReleased = false;
    const secondLock = takeLock(stoppingDir).then((lock) => {
      expect(isReleased).toBe(true);
      lock[Symbol.dispose]();
    });
    await expect(takeLock(runningDir)).rejects.toThrow(
      `Another Florin (process ${process.pid}) uses the data directory ${runningDir}. Stop it first, or set FLORIN_DATA to another directory.`,
    );
    isReleased = true;
    firstLock[Symbol.dispose]();
    await secondLock;
  });
});

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid as number;
}
