import type { SealLocation } from '../../crypto/sealer.ts';
import type { Db } from '../db.ts';
import type { Row } from '../row.ts';

/** A version of an instance secret, as stored. */
export interface SecretVersion {
  readonly name: string;
  readonly version: number;
  readonly sealed: string | undefined;
  /** Secret that an earlier version of Florin stored in plain text. */
  readonly plain: Buffer | undefined;
  /** Time from which the version signs, if it is the newest. */
  readonly active_at: string;
  /** Time until which the version verifies; undefined for the newest. */
  readonly expires_at: string | undefined;
}

/** Stands for the merchant in the location of a secret that belongs to the installation. */
const INSTALLATION = 'installation';

/** Row and column that a version is sealed for. */
export const secretLocation = ({
  name,
  version,
}: Pick<SecretVersion, 'name' | 'version'>): SealLocation => ({
  merchant_id: INSTALLATION,
  id: name,
  column: `secret ${version}`,
});

const versionOf = ({
  name,
  version,
  sealed,
  plain,
  active_at,
  expires_at,
}: Row): SecretVersion => ({
  name: name as string,
  version: Number(version),
  sealed: sealed ?? undefined,
  plain: plain == null ? undefined : Buffer.from(plain, 'hex'),
  active_at: active_at as string,
  expires_at: expires_at ?? undefined,
});

/** All versions, by name, newest first. */
export async function listSecrets(db: Db): Promise<SecretVersion[]> {
  const rows = await db.query(
    `select name, version, sealed, encode(value, 'hex') as plain, active_at, expires_at
     from instance_secrets order by name, version desc`,
    [],
    'list_instance_secrets',
  );
  return rows.map(versionOf);
}

/** Stores a version, unless another process has stored it. */
export const insertSecret = (
  db: Db,
  { name, version, sealed, active_at }: SecretVersion,
): Promise<Row[]> =>
  db.query(
    `insert into instance_secrets (name, version, sealed, active_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [name, version, sealed, active_at],
  );

/** Replaces a plain secret by its sealed text. */
export const sealPlainSecret = (
  db: Db,
  { name, version, plain }: SecretVersion,
  sealed: string,
): Promise<Row[]> =>
  db.query(
    `update instance_secrets set sealed = $4, value = null
     where name = $1 and version = $2 and encode(value, 'hex') = $3 returning name`,
    [name, version, plain?.toString('hex'), sealed],
  );

/** Replaces a sealed secret by the same secret, sealed with another key. */
export const replaceSealedSecret = (
  db: Db,
  { name, version, sealed: before }: SecretVersion,
  sealed: string,
): Promise<Row[]> =>
  db.query(
    `update instance_secrets set sealed = $4 where name = $1 and version = $2 and sealed = $3
     returning name`,
    [name, version, before, sealed],
  );

/** Ends older versions at this time, unless they end earlier. */
export const expireOlder = (
  db: Db,
  { name, version }: Pick<SecretVersion, 'name' | 'version'>,
  expires_at: string,
): Promise<Row[]> =>
  db.query(
    `update instance_secrets set expires_at = least(coalesce(expires_at, 'infinity'), $3::timestamptz)
     where name = $1 and version < $2`,
    [name, version, expires_at],
  );

/** Deletes versions that ended before this time. Returns their number. */
export async function deleteExpiredSecrets(db: Db, before: string): Promise<number> {
  const rows = await db.query(
    'delete from instance_secrets where expires_at < $1 returning name',
    [before],
    'delete_expired_secrets',
  );
  return rows.length;
}

/** Deletes these versions. */
export const deleteSecrets = (db: Db, versions: readonly SecretVersion[]): Promise<Row[]> =>
  db.query(
    `delete from instance_secrets i using unnest($1::text[], $2::int[]) as gone (name, version)
     where i.name = gone.name and i.version = gone.version`,
    [versions.map(({ name }) => name), versions.map(({ version }) => version)],
  );

/** Locks the secrets until the transaction ends, so that two rotations do not run at once. */
export const lockSecrets = (tx: Db): Promise<Row[]> =>
  tx.query('lock table instance_secrets in share row exclusive mode', []);
