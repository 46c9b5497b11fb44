import { randomBytes } from 'node:crypto';
import { customersMayDefault } from '@florin/contract/customer-rights.ts';
import { isLocalUrl } from '@florin/contract/origin.ts';
import type { Config } from '../../config/config.ts';
import type { KeyContext } from '../../platform/caller.ts';
import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Catalog } from '../../platform/database/catalog.ts';
import type { Database, Db } from '../../platform/database/db.ts';
import { type BothTransactions, inBoth } from '../../platform/database/in-both.ts';
import type { Row } from '../../platform/database/row.ts';
import { insertRows } from '../../platform/database/rows.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { type Clock, instantText, seconds } from '../../platform/time/clock.ts';
import { hashKey } from '../merchants/api-key.ts';
import { inBothModes } from '../merchants/both-modes.ts';
import { createToken } from '../merchants/new-token.ts';
import { findCaller, findFirstMerchant } from '../merchants/sql/callers.ts';
import { wooCommerce } from '../onboarding/integrations.ts';
import { sealIdentification } from '../onboarding/seal-identification.ts';
import { copyAccount } from '../people/accounts/account-copies.ts';
import { hashPassword } from '../people/accounts/password.ts';
import {
  type Credentials,
  type KeyPair,
  readCredentials,
  writeCredentials,
} from './credentials.ts';
import { profileRows } from './profile.ts';
import type { TableRows } from './rows.ts';

export interface SeedOptions {
  readonly db: Database;
  readonly global: Database;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly config: Pick<Config, 'password_cost'>;
  readonly sealer: Sealer;
  readonly data_dir: string;
  readonly base_url: string;
  /** Whether this server has the demo shop. */
  readonly has_shop: boolean;
  /** Ids of the platform's integrations by name. */
  readonly integration_ids: ReadonlyMap<string, string>;
}

const DEMO_DOMAIN = 'demo.example';
const DEMO_EMAIL = `owner@${DEMO_DOMAIN}`;
/** Currencies with two, zero and three decimals. */
const DEMO_CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'JPY', 'KRW', 'KWD'];

/**
 * Creates a demo merchant with people and keys in an empty database. Creates new keys if the data
 * directory lacks the database's keys. Returns whether this was the `first_start`.
 */
export async function ensureDemo(
  options: SeedOptions,
): Promise<{ credentials: Credentials; first_start: boolean }> {
  const storedCredentials = await readCredentials(options.data_dir);
  const merchant = await findFirstMerchant(options.db);
  if (merchant && storedCredentials && (await isCurrent(options.db, storedCredentials))) {
    const credentials = {
      ...storedCredentials,
      ...addressesOf(options),
    };
    await writeCredentials(options.data_dir, credentials);
    return { credentials, first_start: false };
  }
  const credentials = merchant ? await addKeys(options, merchant) : await createDemo(options);
  return { credentials, first_start: !merchant };
}

const addressesOf = ({ base_url, has_shop }: SeedOptions) => ({
  base_url,
  dashboard_url: `${base_url}/dashboard/`,
  shop_url: has_shop ? `${base_url}/shop` : null,
});

const isCurrent = async (db: Db, { sandbox }: Credentials): Promise<boolean> =>
  (await findCaller(db, hashKey(sandbox.secret_key))) !== undefined;

async function createDemo(options: SeedOptions): Promise<Credentials> {
  const password = randomBytes(12).toString('base64url');
  const { keys, rows } = createDemoRows({
    ...options,
    domain: DEMO_DOMAIN,
    password_hash: await hashPassword(password, options.config.password_cost),
  });
  return storeDemo(options, keys, password, sealPeople(options.sealer, rows));
}

/** The rows, with those of persons sealed. */
const sealPeople = (sealer: Sealer, rows: readonly TableRows[]): TableRows[] =>
  rows.map(([table, list]) =>
    table === 'personal_identifications'
      ? [table, list.map((row) => sealIdentification(sealer, row))]
      : [table, list],
  );

export interface DemoOptions extends Pick<SeedOptions, 'clock' | 'base_url' | 'integration_ids'> {
  /** Email domain of the merchant's people. */
  readonly domain: string;
  /** Password hash of the account that opens the merchant. */
  readonly password_hash: string;
}

/** Rows of a demo merchant, in the order of their references, and its keys. */
export interface DemoMerchant {
  readonly merchant_id: string;
  readonly keys: KeysOfBothModes;
  readonly rows: readonly TableRows[];
}

export function createDemoRows(options: DemoOptions): DemoMerchant {
  const merchant = createDemoMerchantRow(options.clock);
  const merchant_id = merchant.id as string;
  const keys = createKeysOfBothModes(merchant_id, options);
  const rows = profileRows({
    merchant,
    mode: 'sandbox',
    clock: options.clock,
    domain: options.domain,
    password_hash: options.password_hash,
    operator: isLocalUrl(options.base_url),
    tokens: keys.rows,
    integration_id: options.integration_ids.get(wooCommerce.name) as string,
  });
  return { merchant_id, keys, rows };
}

/** One year, the review interval after an approval. */
const REVIEW_SECONDS = 365 * 24 * 60 * 60;

function createDemoMerchantRow(clock: Clock): Row {
  const at = instantText(clock.now());
  return inBothModes({
    id: uuidv7(clock.now()),
    business_name: 'Florin Demo Shop',
    business_description: 'Mugs and other things to drink from',
    business_email: DEMO_EMAIL,
    business_support_email: `support@${DEMO_DOMAIN}`,
    business_website: 'https://shop.example',
    business_terms_url: 'https://shop.example/terms',
    business_privacy_policy_url: 'https://shop.example/privacy',
    business_support_url: 'https://shop.example/help',
    business_timezone: 'UTC',
    business_zip_code: '10118',
    phone_number: '+12125550100',
    category_code: '5719',
    entity_type: 'private_corporation',
    tax_id_type: 'ein',
    prior_bankruptcies: 'false',
    accepted_currencies: JSON.stringify(DEMO_CURRENCIES),
    late_approvals: 'capture',
    dunning_days: '14',
    dunning_final_action: 'pause',
    missed_periods: 'each',
    locale: 'en',
    customers_may: JSON.stringify(customersMayDefault),
    refused_mismatches: '[]',
    threeds_live: 'when_available',
    threeds_sandbox: 'when_available',
    submitted_at: at,
    active_at: at,
    reviewed_at: at,
    review_due_at: instantText(clock.now() + seconds(REVIEW_SECONDS)),
    created_at: at,
    updated_at: at,
  });
}

function addKeys(options: SeedOptions, merchant_id: string): Promise<Credentials> {
  const keys = createKeysOfBothModes(merchant_id, options);
  return storeDemo(options, keys, null, [['merchant_tokens', keys.rows]]);
}

/**
 * Writes the file before the commit: keys that exist only in the database could not be read again.
 * The next start overwrites a file whose rows were not committed.
 */
async function storeDemo(
  options: SeedOptions,
  { sandbox, live }: KeysOfBothModes,
  password: string | null,
  rows: readonly TableRows[],
): Promise<Credentials> {
  const credentials: Credentials = {
    ...addressesOf(options),
    sandbox,
    live,
    account: { email: DEMO_EMAIL, password },
  };
  await inBoth(options, async (both) => {
    await insertDemoRows(both, options.catalog, rows);
    await writeCredentials(options.data_dir, credentials);
  });
  return credentials;
}

/** Stores rows of merchants and their people. */
export async function insertDemoRows(
  { cell, global }: BothTransactions,
  catalog: Catalog,
  rows: readonly TableRows[],
): Promise<void> {
  for (const [table, values] of rows) {
    const isOfPeople = table === 'accounts';
    await insertRows(isOfPeople ? global : cell, catalog, table, values);
    if (isOfPeople) for (const { id } of values) await copyAccount(cell, global, id as string);
  }
}

export interface KeysOfBothModes {
  readonly sandbox: KeyPair;
  readonly live: KeyPair;
  /**
   * Rows of the keys. Sandbox before live; in each pair, the secret key before the publishable key.
   */
  readonly rows: readonly Row[];
}

/**
 * Key pairs of both modes. In live mode only the interface's own origin, with the demo shop, may
 * mount the form.
 */
function createKeysOfBothModes(
  merchant_id: string,
  { clock, base_url }: Pick<SeedOptions, 'clock' | 'base_url'>,
): KeysOfBothModes {
  const sandbox = createKeyPair({ merchant_id, mode: 'sandbox', origins: [] }, clock.now());
  const origins = [new URL(base_url).origin];
  const live = createKeyPair({ merchant_id, mode: 'live', origins }, clock.now());
  return { sandbox: sandbox.keys, live: live.keys, rows: [...sandbox.rows, ...live.rows] };
}

interface PairOwner {
  readonly merchant_id: string;
  readonly mode: 'live' | 'sandbox';
  /** Origins that the publishable key allows. */
  readonly origins: readonly string[];
}

function createKeyPair(
  { merchant_id, mode, origins }: PairOwner,
  now: number,
): { keys: KeyPair; rows: Row[] } {
  const at = instantText(now);
  const createPairToken = (context: KeyContext) =>
    createToken({
      merchant_id,
      mode,
      id: uuidv7(now),
      name: context === 'secret' ? 'Secret key' : 'Publishable key',
      context,
      ...(context === 'browser' && { origins: JSON.stringify(origins) }),
      created_at: at,
      updated_at: at,
    });
  const [secret, publishable] = [createPairToken('secret'), createPairToken('browser')];
  return {
    keys: { publishable_key: publishable.key, secret_key: secret.key },
    rows: [secret.row, publishable.row],
  };
}
