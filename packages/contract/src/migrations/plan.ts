/** One migration of a program: a numbered SQL file. */
export interface MigrationFile {
  /** Such as `0001-payments`. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** Reads the migrations among the names of a directory. */
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

/** All that a program knows about how its schema came to be. */
export interface History {
  /** In the order of their names. */
  readonly files: readonly MigrationFile[];
  /** Migrations that were on main and were taken back, each with what repairs the databases that applied it. */
  readonly removed: Readonly<Record<string, string>>;
  /** Checksums are stored since this migration. Databases from before it are compared with `facts` once. */
  readonly adoption: {
    readonly through: string;
    /** What `factsOf` reads of a fresh database after that migration. */
    readonly facts: () => Promise<readonly string[]>;
  };
}

/** A line of the database's own list. */
export interface Applied {
  readonly name: string;
  /** Null where it was applied before checksums were stored. */
  readonly checksum: string | null;
}

export interface Plan {
  readonly pending: readonly MigrationFile[];
  /** Applied migrations whose checksum is to be stored once the schema was compared. */
  readonly unproven: readonly MigrationFile[];
  /** Names that the list should not hold any more. */
  readonly removed: readonly string[];
}

/** The database is one that this program must not touch. The message says why and what to do. */
export class MigrationRefusal extends Error {
  override name = 'MigrationRefusal';
}

/**
 * Says what is to be done to a database. Throws `MigrationRefusal` where it is ahead of the program, or where a
 * migration was applied to it with another content than the program's.
 */
export function planOf(applied: readonly Applied[], { files, removed }: History): Plan {
  const done = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const known = new Set([...files.map(({ name }) => name), ...Object.keys(removed)]);
  refuseNewer([...done.keys()].filter((name) => !known.has(name)));
  refuseEdited(files.filter(({ name, checksum }) => (done.get(name) ?? checksum) !== checksum));
  return {
    pending: files.filter(({ name }) => !done.has(name)),
    unproven: files.filter(({ name }) => done.get(name) === null),
    removed: Object.keys(removed).filter((name) => done.has(name)),
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
