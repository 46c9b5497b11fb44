/** One migration of a program: a numbered SQL file. */
export interface MigrationFile {
  /** Name without the extension, such as `0001-payments`. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Reads the migrations of a directory, given its file names. */
export function readMigrations(
  names: readonly string[],
  read: (name: string) => Promise<string>,
  digest: (text: string) => string,
): Promise<MigrationFile[]> {
  const files = names.filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const sql = await read(file);
      return {
        name: file.replace(/\.sql$/, ''),
        sql,
        checksum: digest(sql.replaceAll('\r\n', '\n')),
      };
    }),
  );
}

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
 * applied migration had other content.
 */
export function planOf(applied: readonly AppliedMigration[], { files, removed }: History): Plan {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const knownNames = new Set([...files.map(({ name }) => name), ...Object.keys(removed)]);
  refuseNewer([...checksums.keys()].filter((name) => !knownNames.has(name)));
  refuseEdited(
    files.filter(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum),
  );
  return {
    pending: files.filter(({ name }) => !checksums.has(name)),
    unproven: files.filter(({ name }) => checksums.get(name) === null),
    removed: Object.keys(removed).filter((name) => checksums.has(name)),
  };
}

function refuseNewer(ahead: readonly string[]): void {
  if (ahead.length === 0) return;
  throw new MigrationRefusal(
    `The database was made by a newer Florin (it has ${ahead.join(', ')}). Start that version, or use another database.`,
  );
}

function refuseEdited(edited: readonly MigrationFile[]): void {
  if (edited.length === 0) return;
  const names = edited.map(({ name }) => name).join(', ');
  throw new MigrationRefusal(
    `The database applied other contents of ${names} than this program has: the file was edited after it was applied. Start an unedited release; a database of development may be removed instead. Nothing was changed.`,
  );
}
