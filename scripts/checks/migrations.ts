import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { headerProblem } from '@florin/contract/migrations/online/steps.ts';
import { type MigrationFile, PHASES, readMigrations } from '@florin/contract/migrations/plan.ts';
import { parseSchema } from '@florin/contract/migrations/verify.ts';
import { ROOT } from '../program.ts';

/** Directories of migrations. Each has a list of checksums of its released migrations. */
export const DIRECTORIES: readonly string[] = [
  'server/src/platform/database/migrations',
  'vault/src/store/migrations',
].map((folder) => join(ROOT, 'packages', folder));

const LIST = 'checksums.json';
/** The schema that the migrations make. `florin migrate verify` compares a database with it. */
export const SCHEMA = 'schema.txt';
const RECORD = 'npm run db:record';

type RecordedChecksums = Readonly<Record<string, string>>;

const readMigrationFiles = (directory: string): Promise<MigrationFile[]> =>
  readMigrations(
    readdirSync(directory),
    async (name) => readFileSync(join(directory, name), 'utf8'),
    (text) => createHash('sha256').update(text).digest('hex'),
  );

function readRecorded(directory: string): RecordedChecksums {
  const path = join(directory, LIST);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RecordedChecksums) : {};
}

/** Problems of a directory's migrations, one sentence each. */
export async function findingsIn(directory: string): Promise<string[]> {
  const files = await readMigrationFiles(directory);
  const recordedFiles = readRecorded(directory);
  const pathOf = (name: string) => relative(ROOT, join(directory, `${name}.sql`));
  const restoreHint = `If it is on no main yet: git checkout main -- ${relative(ROOT, join(directory, LIST))} && ${RECORD}`;
  const presentFiles = new Map(files.map(({ name, checksum }) => [name, checksum]));
  const numbers = Map.groupBy(files, ({ name }) => name.slice(0, 4));
  return [
    ...phaseFindings(directory, files),
    ...Object.keys(recordedFiles)
      .filter((name) => !presentFiles.has(name))
      .map(
        (name) =>
          `${pathOf(name)} is missing: a recorded migration is never renamed or removed. Put it back, and undo it in the next one. ${restoreHint}`,
      ),
    ...files
      .filter(({ name, checksum }) => (recordedFiles[name] ?? checksum) !== checksum)
      .map(
        ({ name }) =>
          `${pathOf(name)} was edited: a recorded migration never changes. Take the edit back, and write the next one. ${restoreHint}`,
      ),
    ...files
      .filter(({ name }) => recordedFiles[name] === undefined)
      .map(({ name }) => `${pathOf(name)} is not recorded. When it is finished: ${RECORD}`),
    ...[...numbers.values()]
      .filter(({ length }) => length > 1)
      .map(
        (duplicates) =>
          `${duplicates.map(({ name }) => pathOf(name)).join(' and ')} have one number. Give the newer one the next number. ${restoreHint}`,
      ),
  ];
}

/** Each migration says what it means for the release before, and an online one has only repeatable statements. */
function phaseFindings(directory: string, files: readonly MigrationFile[]): string[] {
  const pathOf = (name: string) => relative(ROOT, join(directory, `${name}.sql`));
  return [
    ...files
      .filter(({ phase }) => phase !== 'expand' && phase !== 'contract')
      .map(
        ({ name }) =>
          `${pathOf(name)} is not marked. Begin it with the line "-- florin: expand" if processes of the release before run on its schema, or "-- florin: contract"; a recorded one is marked in ${PHASES} beside it.`,
      ),
    ...files
      .map(({ name, sql }) => headerProblem(pathOf(name), sql))
      .filter((it) => it !== undefined),
  ];
}

/** Whether the recorded schema lacks the newest migration. */
export function schemaFindings(directory: string): string[] {
  const path = join(directory, SCHEMA);
  const newest = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-1)
    ?.replace('.sql', '');
  const through = existsSync(path) ? parseSchema(readFileSync(path, 'utf8')).through : 'nothing';
  return through === newest
    ? []
    : [`${relative(ROOT, path)} has the schema through ${through}, not ${newest}. Run: ${RECORD}`];
}

/** Adds checksums of new migrations to the list; never changes existing ones. Returns the new names. */
export async function recordIn(directory: string): Promise<string[]> {
  const recordedChecksums = readRecorded(directory);
  const addedFiles = (await readMigrationFiles(directory)).filter(
    ({ name }) => recordedChecksums[name] === undefined,
  );
  const checksums = {
    ...recordedChecksums,
    ...Object.fromEntries(addedFiles.map((file) => [file.name, file.checksum])),
  };
  const sorted = Object.fromEntries(Object.entries(checksums).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (addedFiles.length > 0)
    writeFileSync(join(directory, LIST), `${JSON.stringify(sorted, null, 2)}\n`);
  return addedFiles.map(({ name }) => name);
}
