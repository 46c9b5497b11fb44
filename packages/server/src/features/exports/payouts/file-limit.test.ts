import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { OverloadedError } from '../../../platform/concurrency/overloaded.ts';
import { createFileLimit } from './file-limit.ts';

async function* endlessLines() {
  yield 'date';
  await new Promise(() => undefined);
}

it('runs two files of a merchant and eight in all, and starts another when one of them ends', async () => {
  const runFile = createFileLimit();
  const files: Readable[] = [];
  const start = (merchant: string): Promise<void> =>
    runFile(merchant, endlessLines(), (file) => files.push(file));
  const ends = ['ada', 'ada', 'bob', 'bob', 'cyd', 'cyd', 'dan'].map(start);
  await expect(start('ada')).rejects.toThrow(OverloadedError);
  ends.push(start('eve'));
  await expect(start('fay')).rejects.toThrow(OverloadedError);
  const next = start('ada');
  // As Fastify does when a client disconnects.
  files[0]?.destroy();
  await ends[0];
  await expect.poll(() => files).toHaveLength(9);
  for (const file of files) file.destroy();
  await Promise.all([...ends, next]);
});
