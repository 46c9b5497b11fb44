import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DIRECTORIES, findingsIn, recordIn } from './migrations.ts';

let directory: string;
const write = (name: string, sql: string) => writeFileSync(join(directory, `${name}.sql`), sql);
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'migrations-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  write('0001-one', 'select 1;\n');
  write('0002-two', 'select 2;\n');
  await recordIn(directory);
});

describe('a recorded migration', () => {
  it('passes unchanged, with any line endings', async () => {
    write('0002-two', 'select 2;\r\n');
    expect(await findingsIn(directory)).toEqual([]);
  });

  it.each<[string, () => void, RegExp]>([
    [
      'changed',
      () => write('0001-one', 'select 3;\n'),
      /0001-one\.sql was edited: .*&& npm run db:record$/,
    ],
    [
      'removed',
      () => rmSync(join(directory, '0001-one.sql')),
      /0001-one\.sql is missing: .*&& npm run db:record$/,
    ],
    [
      'renamed',
      () => renameSync(join(directory, '0001-one.sql'), join(directory, '0003-one.sql')),
      /0001-one\.sql is missing: /,
    ],
  ])('is not %s, and recording again does not hide it', async (_how, change, finding) => {
    change();
    expect((await findingsIn(directory))[0]).toMatch(finding);
    await recordIn(directory);
    expect((await findingsIn(directory))[0]).toMatch(finding);
  });
});

describe('a new migration', () => {
  it('is recorded by one command, which the check names', async () => {
    write('0003-three', 'select 3;\n');
    expect(await findingsIn(directory)).toEqual([
      expect.stringMatching(
        /0003-three\.sql is not recorded\. When it is finished: npm run db:record$/,
      ),
    ]);
    expect(await recordIn(directory)).toEqual(['0003-three']);
    expect(await findingsIn(directory)).toEqual([]);
  });

  it('has a number of its own', async () => {
    write('0002-too', 'select 3;\n');
    await recordIn(directory);
    expect(await findingsIn(directory)).toEqual([
      expect.stringMatching(/0002-too\.sql and .*0002-two\.sql have one number/),
    ]);
  });
});

it('the migrations of this checkout match the record', async () => {
  expect((await Promise.all(DIRECTORIES.map(findingsIn))).flat()).toEqual([]);
});
