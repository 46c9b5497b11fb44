import type { Clock } from '../kernel/clock.ts';
import { StartupError } from '../kernel/errors.ts';
import type { Database, Db } from '../store/db.ts';
import type { Kms } from './kms/kms.ts';

/** Cryptoperiod of a version of the root key. */
const ROOT_LIFE_MS = 365 * 24 * 60 * 60 * 1000;

const CHECK_CONTEXT = 'root-key-check';
const CHECK_PLAIN = Buffer.from('florin vault');

/** A key under a version of the root key, as its row holds it. */
export interface Wrapped {
  readonly root_version: number;
  readonly wrapped: Buffer;
}

/** The root key, of which the newest version wraps. */
export interface RootKeys {
  wrap(key: Buffer, context: string): Promise<Wrapped>;
  /** Throws where version or `context` are not those of the wrapping, or the version was destroyed. */
  unwrap(wrapped: Wrapped, context: string): Promise<Buffer>;
  generate(context: string): Promise<{ readonly key: Buffer } & Wrapped>;
  /** The version that wraps. */
  current(): Promise<number>;
  /** Makes and proves the next version, which wraps from then on, and returns it. */
  advance(): Promise<number>;
}

interface RootKeyDeps {
  readonly db: Database;
  readonly kms: Kms;
  readonly clock: Clock;
}

/**
 * The root key of this database, made at its first start only: once the database knows a version, a provider that has
 * it not, or has another key by its name, is a `StartupError`.
 */
export async function openRootKeys(deps: RootKeyDeps): Promise<RootKeys> {
  const { db, kms } = deps;
  await proveNewest(deps, (await newestRow(db)) ?? (await addVersion(deps, 1)));
  const current = async (): Promise<number> => (await newestRow(db))?.version ?? 1;
  return {
    current,
    async wrap(key, context) {
      const root_version = await current();
      return { root_version, wrapped: await kms.wrap(root_version, key, context) };
    },
    unwrap: ({ root_version, wrapped }, context) => kms.unwrap(root_version, wrapped, context),
    async generate(context) {
      const root_version = await current();
      return { root_version, ...(await kms.generate(root_version, context)) };
    },
    advance: async () => (await addVersion(deps, (await current()) + 1)).version,
  };
}

interface RootRow {
  readonly version: number;
  readonly provider: string;
  readonly check_value: Buffer;
}

async function newestRow(db: Db): Promise<RootRow | undefined> {
  const [row] = await db.query<RootRow>(
    'select version, provider, check_value from vault.root_keys order by version desc limit 1',
    [],
    'newest-root-key',
  );
  return row;
}

/** Of two vaults that add the same version at once, the first to insert decides which key counts. */
async function addVersion({ db, kms, clock }: RootKeyDeps, version: number): Promise<RootRow> {
  await kms.createVersion(version);
  const { provider } = await kms.describe();
  const check_value = await kms.wrap(version, CHECK_PLAIN, CHECK_CONTEXT);
  const now = clock();
  await db.query(
    `insert into vault.root_keys (version, provider, check_value, created_at, rotate_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [version, provider, check_value, new Date(now), new Date(now + ROOT_LIFE_MS)],
  );
  return (await newestRow(db)) ?? { version, provider, check_value };
}

async function proveNewest({ kms }: RootKeyDeps, row: RootRow): Promise<void> {
  const { provider, versions } = await kms.describe();
  if (row.provider !== provider) {
    throw new StartupError(
      `The stored cards were sealed with a root key of the provider ${row.provider}, and VAULT_KMS says ${provider}: set it back.`,
    );
  }
  const name = kms.nameOf(row.version);
  if (!versions.includes(row.version)) {
    throw new StartupError(
      `The root key ${name} is missing, and the stored cards cannot be read without it: restore the file from its backup.`,
    );
  }
  await kms.unwrap(row.version, row.check_value, CHECK_CONTEXT).catch((cause: unknown) => {
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(
      `The root key ${name} is not the one that the stored cards were sealed with: restore the right file from its backup.`,
      { cause },
    );
  });
}
