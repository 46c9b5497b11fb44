import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { DIRECTORIES, findingsIn, recordIn, schemaFindings } from './migrations.ts';

let directory: string;
const write = (name: string, sql: string) =>
  writeFileSync(join(directory, `${name}.sql`), `-- florin: expand\n${sql}`);
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'migrations-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  write('0001-one', 'select 1;\n');
  write('0002-two', 'select 2;\n');
  await recordIn(directory);
});

describe('a recorded migration', () => {
  it('passes unchanged, with any line endings', async () => {
    writeFileSync(join(directory, '0002-two.sql'), '-- florin: expand\r\nselect 2;\r\n');
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

describe('the first line of a migration', () => {
  const writeRaw = async (sql: string) => {
    writeFileSync(join(directory, '0003-three.sql'), sql);
    await recordIn(directory);
    return findingsIn(directory);
  };

  it('says whether the release before runs on its schema', async () => {
    expect(await writeRaw('select 3;\n')).toEqual([
      expect.stringMatching(/0003-three\.sql is not marked\. Begin it with the line/),
    ]);
    writeFileSync(join(directory, 'phases.json'), '{"0003-three":"contract"}');
    expect(await findingsIn(directory)).toEqual([]);
  });

  it('allows statements that can be repeated outside of a transaction, and no others', async () => {
    const online = '-- florin: expand, online\n';
    expect(await writeRaw(`${online}create index concurrently a on b (c);\n`)).toEqual([]);
    rmSync(join(directory, 'checksums.json'));
    expect(await writeRaw(`${online}create index a on b (c);\n`)).toEqual([
      expect.stringMatching(/0003-three\.sql is online, but "create index a on b \(c\)"/),
    ]);
  });
});

it('a recorded schema without the newest migration is found', () => {
  expect(schemaFindings(directory)).toEqual([
    expect.stringMatching(/schema\.txt has the schema through nothing, not 0002-two\. Run:/),
  ]);
  writeFileSync(join(directory, 'schema.txt'), 'through 0002-two\n');
  expect(schemaFindings(directory)).toEqual([]);
});

it('the migrations of this checkout match the record', async () => {
  expect((await Promise.all(DIRECTORIES.map(findingsIn))).flat()).toEqual([]);
  expect(DIRECTORIES.flatMap(schemaFindings)).toEqual([]);
});
