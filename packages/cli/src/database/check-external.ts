import type pg from 'pg';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { databaseUrlsOf, withDatabaseLogin } from './address.ts';
import { codeOf, withClient } from './client.ts';
import { ensureVaultLogin, grantVaultLogin, type VaultLogin } from './vault-login.ts';

export interface DatabaseUrls {
  readonly server: string;
  readonly vault: string;
  /** Login that migrates the tables of the server; absent: the server's own. */
  readonly owner?: string;
  /** Login that migrates the tables of the vault; absent: the vault's own. */
  readonly owner_of_vault?: string;
  /** Warning for the operator, in one sentence. */
  readonly warning?: string;
}

const VERSION_MIN = 15;
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Checks the database at `url` and creates the vault's user in it, unless `vaultUrl` has its own user. Throws
 * `PlainFailure` if the database is unusable.
 */
export async function checkExternal(
  url: string,
  dataDir: string,
  vaultUrl?: string,
): Promise<DatabaseUrls> {
  if (!databaseUrlsOf(url)) throw createAddressFailure();
  const login = vaultUrl ? undefined : await ensureVaultLogin(dataDir);
  const toVaultUrl = await reach('DATABASE_URL', url, (client) => login && tryGrant(client, login));
  if (vaultUrl) {
    await reach('VAULT_DATABASE_URL', vaultUrl, async () => {});
    return { server: url, vault: vaultUrl };
  }
  return toVaultUrl
    ? { server: url, vault: toVaultUrl(url) }
    : { server: url, vault: url, warning: SHARED_USER };
}

const SHARED_USER =
  'The user of DATABASE_URL may not create roles, so the vault uses that user too. Set VAULT_DATABASE_URL to separate them.';

const createAddressFailure = () =>
  new PlainFailure('DATABASE_URL must look like postgresql://user:password@host:5432/database.');

async function tryGrant(
  client: pg.Client,
  login: VaultLogin,
): Promise<((url: string) => string) | undefined> {
  try {
    await grantVaultLogin(client, login);
    return (url) => withDatabaseLogin(url, login.role, login.password);
  } catch (error) {
    if (codeOf(error) === INSUFFICIENT_PRIVILEGE) return undefined;
    throw error;
  }
}

async function reach<T>(
  variable: string,
  url: string,
  work: (client: pg.Client) => Promise<T> | T,
): Promise<T> {
  try {
    return await withClient(url, async (client) => {
      await refuseOld(client, variable);
      return work(client);
    });
  } catch (error) {
    if (error instanceof PlainFailure) throw error;
    throw new PlainFailure(explain(variable, error as Error), { cause: error });
  }
}

async function refuseOld(client: pg.Client, variable: string): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  const version = rows[0]?.server_version ?? '';
  if (Number.parseInt(version, 10) >= VERSION_MIN) return;
  throw new PlainFailure(
    `${variable} points to PostgreSQL ${version}; Florin needs PostgreSQL ${VERSION_MIN} or newer.`,
  );
}

/**
 * Explanations by SQLSTATE or system error code. The texts never contain the address, because the address includes a
 * password.
 */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no PostgreSQL answers there; start it, or correct host and port',
  ENOENT: 'no PostgreSQL answers on that socket; start it, or correct its directory',
  ENOTFOUND: 'its host name is not known; correct it',
  ETIMEDOUT: 'nothing answers there; correct host and port, or open the network to it',
  '28P01': 'the password is wrong; correct it',
  '28000': 'the server does not let this user in; correct the user, or allow it in pg_hba.conf',
  '08P01': 'PgBouncer is there; add pgbouncer=true to the address',
  '3D000': 'there is no database of that name; create it, or correct the name',
};

function explain(variable: string, error: Error): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error;
  const explanation = EXPLANATIONS[codeOf(cause)];
  if (/timeout/i.test(error.message))
    return `${variable} cannot be used: ${EXPLANATIONS.ETIMEDOUT}.`;
  return `${variable} cannot be used: ${explanation ?? (cause as Error).message}.`;
}
