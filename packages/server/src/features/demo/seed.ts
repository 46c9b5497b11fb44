import { randomBytes } from 'node:crypto';
import { hashKey } from '../../kernel/api-key.ts';
import type { KeyContext } from '../../kernel/caller.ts';
import { type Clock, instantText } from '../../kernel/clock.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { hashPassword } from '../../kernel/password.ts';
import { findCaller, findFirstMerchant } from '../../store/callers.ts';
import type { Catalog } from '../../store/catalog.ts';
import type { Database, Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { insertRows } from '../../store/rows.ts';
import { newToken } from '../merchants/tokens.ts';
import {
  type Credentials,
  type KeyPair,
  readCredentials,
  writeCredentials,
} from './credentials.ts';

export interface SeedOptions {
  readonly db: Database;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly data_dir: string;
  readonly base_url: string;
}

const DEMO_EMAIL = 'owner@demo.example';

/**
 * Makes sure that somebody can use this installation: an empty database gets a demo merchant with an
 * owner and keys; one whose keys are not in the data directory gets new keys. `first_start` tells which.
 */
export async function ensureDemo(
  options: SeedOptions,
): Promise<{ credentials: Credentials; first_start: boolean }> {
  const known = await readCredentials(options.data_dir);
  const merchant = await findFirstMerchant(options.db);
  if (merchant && known && (await isCurrent(options.db, known))) {
    const credentials = {
      ...known,
      base_url: options.base_url,
      dashboard_url: dashboardOf(options),
    };
    await writeCredentials(options.data_dir, credentials);
    return { credentials, first_start: false };
  }
  const credentials = merchant ? await addKeys(options, merchant) : await createDemo(options);
  return { credentials, first_start: !merchant };
}

const dashboardOf = ({ base_url }: SeedOptions): string => `${base_url}/`;

const isCurrent = async (db: Db, { sandbox }: Credentials): Promise<boolean> =>
  (await findCaller(db, hashKey(sandbox.secret_key))) !== undefined;

async function createDemo(options: SeedOptions): Promise<Credentials> {
  const now = options.clock.now();
  const at = instantText(now);
  const merchant: Row = {
    id: uuidv7(now),
    business_name: 'Florin Demo Shop',
    business_email: DEMO_EMAIL,
    business_timezone: 'UTC',
    accepted_currencies: '["USD"]',
    threeds_live: 'when_available',
    threeds_sandbox: 'when_available',
    active_at: at,
    created_at: at,
    updated_at: at,
  };
  const password = randomBytes(12).toString('base64url');
  const account: Row = {
    id: uuidv7(now),
    email: DEMO_EMAIL,
    name: 'Demo Owner',
    password_hash: await hashPassword(password),
    account_status: 'active',
    created_at: at,
    updated_at: at,
  };
  const membership: Row = {
    merchant_id: merchant.id as string,
    id: uuidv7(now),
    account_id: account.id as string,
    opener: 'true',
    created_at: at,
    updated_at: at,
  };
  return storeDemo(options, merchant.id as string, { email: DEMO_EMAIL, password }, [
    ['merchants', [merchant]],
    ['accounts', [account]],
    ['memberships', [membership]],
  ]);
}

const addKeys = (options: SeedOptions, merchant_id: string): Promise<Credentials> =>
  storeDemo(options, merchant_id, { email: DEMO_EMAIL, password: null }, []);

/**
 * The file is written inside the transaction, before its commit: keys that are in the database but
 * nowhere else would be lost for good, while a file without its rows is simply made again.
 */
async function storeDemo(
  options: SeedOptions,
  merchant_id: string,
  account: Credentials['account'],
  rows: readonly (readonly [table: string, rows: readonly Row[]])[],
): Promise<Credentials> {
  const now = options.clock.now();
  const pairs = {
    sandbox: keyPair(merchant_id, 'sandbox', now),
    live: keyPair(merchant_id, 'live', now),
  };
  const credentials: Credentials = {
    base_url: options.base_url,
    dashboard_url: dashboardOf(options),
    sandbox: pairs.sandbox.keys,
    live: pairs.live.keys,
    account,
  };
  await options.db.transaction(async (tx) => {
    const tokens = [...pairs.sandbox.rows, ...pairs.live.rows];
    for (const [table, values] of [...rows, ['merchant_tokens', tokens] as const]) {
      await insertRows(tx, options.catalog, table, values);
    }
    await writeCredentials(options.data_dir, credentials);
  });
  return credentials;
}

function keyPair(
  merchant_id: string,
  mode: 'live' | 'sandbox',
  now: number,
): { keys: KeyPair; rows: Row[] } {
  const at = instantText(now);
  const make = (context: KeyContext) =>
    newToken({
      merchant_id,
      mode,
      id: uuidv7(now),
      name: context === 'secret' ? 'Secret key' : 'Publishable key',
      context,
      created_at: at,
      updated_at: at,
    });
  const [secret, publishable] = [make('secret'), make('browser')];
  return {
    keys: { publishable_key: publishable.key, secret_key: secret.key },
    rows: [secret.row, publishable.row],
  };
}
