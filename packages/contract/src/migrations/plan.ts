import { headerOf, type Phase } from './header.ts';

/** One migration of a program: a numbered SQL file. */
export interface MigrationFile {
  /** Name without the extension, such as `0001-payments`. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** Absent only in a file that is not finished: `npm run check` refuses it. */
  readonly phase?: Phase | undefined;
}

/** Phases of migrations from before headers, by name. */
export const PHASES = 'phases.json';

/** Reads the migrations of a directory, given its file names. */
export async function readMigrations(
  names: readonly string[],
  read: (name: string) => Promise<string>,
  digest: (text: string) => string,
): Promise<MigrationFile[]> {
  const files = names.filter((name) => name.endsWith('.sql')).sort();
  const phases = (names.includes(PHASES) ? JSON.parse(await read(PHASES)) : {}) as Phases;
  return Promise.all(
    files.map(async (file) => {
      const sql = await read(file);
      const name = file.replace(/\.sql$/, '');
      const phase = headerOf(sql)?.phase ?? phases[name];
      return { name, sql, checksum: digest(sql.replaceAll('\r\n', '\n')), phase };
    }),
  );
}

type Phases = Readonly<Record<string, Phase>>;

/** The migrations of a program with the history of its schema. */
export interface History {
  readonly files: readonly MigrationFile[];
  /**
   * Migrations that were removed from the program, with SQL that repairs databases that applied
   * them.
   */
  readonly removed: Readonly<Record<string, string>>;
  /** First migration with stored checksums. An older database is compared with `facts` once. */
  readonly adoption: {
    readonly through: string;
    /** Lines of `factsOf` of a new database after the migration. */
    readonly facts: () => Promise<readonly string[]>;
  };
}

/** A row of the database's own list of migrations. */
export interface AppliedMigration {
  readonly name: string;
  /** Null if the migration was applied before checksums were stored. */
  readonly checksum: string | null;
  /** Phase that the release said which applied it; null if that release knew no phases. */
  readonly phase?: string | null;
}

export interface Plan {
  readonly pending: readonly MigrationFile[];
  /**
   * Applied migrations without a checksum. The checksums are stored after a comparison of the
   * schema.
   */
  readonly unproven: readonly MigrationFile[];
  /** Names of removed migrations, to delete from the database's list of applied ones. */
  readonly removed: readonly string[];
  /** Names of applied migrations of a newer release, on whose schema this program runs too. */
  readonly newer: readonly string[];
}

/**
 * Thrown if the program must not change the database. The message names the reason and the next
 * step.
 */
export class MigrationRefusal extends Error {
  override name = 'MigrationRefusal';
}

/**
 * Plans the changes to a database. Throws `MigrationRefusal` if the database is newer than the program, or if an
 * applied migration had other content. With `runs_on_newer`, only a newer migration that contracts is refused: processes
 * of the release before start again during an upgrade.
 */
export function planOf(
  applied: readonly AppliedMigration[],
  { files, removed }: History,
  { runs_on_newer = false }: { readonly runs_on_newer?: boolean | undefined } = {},
): Plan {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const knownNames = new Set([...files.map(({ name }) => name), ...Object.keys(removed)]);
  const pending = files.filter(({ name }) => !checksums.has(name));
  const newer = applied.filter(({ name }) => !knownNames.has(name));
  const isAccepted = runs_on_newer && pending.length === 0;
  refuseNewer(newer.filter(({ phase }) => !isAccepted || phase !== 'expand'));
  refuseEdited(
    files.filter(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum),
  );
  return {
    pending,
    unproven: files.filter(({ name }) => checksums.get(name) === null),
    removed: Object.keys(removed).filter((name) => checksums.has(name)),
    newer: newer.map(({ name }) => name),
  };
}

function refuseNewer(newer: readonly AppliedMigration[]): void {
  if (newer.length === 0) return;
  throw new MigrationRefusal(
    `The database was made by a newer Florin (it has ${newer.map(({ name }) => name).join(', ')}). Run the release that migrated it, or a newer one. To return to this release, restore the backup from before the upgrade.`,
  );
}

function refuseEdited(edited: readonly MigrationFile[]): void {
  if (edited.length === 0) return;
  const names = edited.map(({ name }) => name).join(', ');
  throw new MigrationRefusal(
    `The database applied other contents of ${names} than this program has: the file was edited after it was applied. Start an unedited release; a database of development may be removed instead. Nothing was changed.`,
  );
}
