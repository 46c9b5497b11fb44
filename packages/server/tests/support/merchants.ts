import { customersMayDefault } from '@florin/contract/customer-rights.ts';
import { TEST_PASSWORD_COST } from '@florin/dev-env/parts.ts';
import type { Credentials } from '../../src/features/demo/credentials.ts';
import { profileRows } from '../../src/features/demo/profile.ts';
import { createDemoRows, insertDemoRows } from '../../src/features/demo/seed.ts';
import { inBothModes } from '../../src/features/merchants/both-modes.ts';
import { createToken } from '../../src/features/merchants/new-token.ts';
import { integrations, wooCommerce } from '../../src/features/onboarding/integrations.ts';
import { saveIntegrations } from '../../src/features/onboarding/sql/integrations.ts';
import { hashPassword } from '../../src/features/people/accounts/password.ts';
import type { KeyContext } from '../../src/platform/caller.ts';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { inBoth } from '../../src/platform/database/in-both.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { instantText, systemClock } from '../../src/platform/time/clock.ts';

export interface KeyOptions {
  readonly mode?: 'live' | 'sandbox';
  readonly context?: KeyContext;
  /** Permission slugs of the key; absent: all permissions. */
  readonly permissions?: readonly string[];
  /** Expiry as ISO text. */
  readonly expiry?: string;
  /** Origins whose pages may embed the form of a publishable key. */
  readonly origins?: readonly string[];
}

export interface Merchant {
  readonly id: string;
  /** Creates a key of this merchant. */
  makeKey(options?: KeyOptions): Promise<string>;
}

/** Direct database access, for changes that the API does not offer. */
export interface Fixtures extends AsyncDisposable {
  readonly db: Database;
  /** The database of people: the same object, unless they are apart. */
  readonly global: Database;
  /** Creates a merchant besides the demo merchant, with people and platform data. */
  makeMerchant(columns?: Row): Promise<Merchant>;
  /** Creates another merchant with all records of the demo merchant, keys, and an owner's login. */
  makeDemoMerchant(base_url: string): Promise<DemoMerchant>;
  /** Returns the merchant that the file's clients use. */
  getDemoMerchant(): Promise<Merchant>;
}

export interface DemoMerchant extends Merchant {
  readonly credentials: Credentials;
}

const PASSWORD = 'known to the tests alone';
let passwordHash: Promise<string> | undefined;

/** Hashes the password once per process. */
const hashOfPassword = (): Promise<string> => {
  passwordHash ??= hashPassword(PASSWORD, TEST_PASSWORD_COST);
  return passwordHash;
};

export async function openFixtures(url: string, global_url: string = url): Promise<Fixtures> {
  const db = openDatabase({ url, connections_max: 2 });
  const global = global_url === url ? db : openDatabase({ url: global_url, connections_max: 2 });
  const catalog = await loadCatalog(db);
  const clock = systemClock();
  const integration_ids = await saveIntegrations(db, clock, integrations);

  const merchantOf = (id: string): Merchant => ({
    id,
    async makeKey({
      mode = 'sandbox',
      context = 'secret',
      permissions,
      expiry,
      origins = [],
    } = {}) {
      const at = instantText(clock.now());
      const { key, row } = createToken({
        merchant_id: id,
        mode,
        id: uuidv7(clock.now()),
        name: 'A key of the tests',
        context,
        permissions: permissions ? JSON.stringify(permissions) : null,
        expiry: expiry ?? null,
        origins: JSON.stringify(origins),
        created_at: at,
        updated_at: at,
      });
      await insertRows(db, catalog, 'merchant_tokens', [row]);
      return key;
    },
  });

  return {
    db,
    global,
    async makeMerchant(columns = {}) {
      const at = instantText(clock.now());
      const id = uuidv7(clock.now());
      const merchant = inBothModes({
        id,
        business_name: 'Another Shop',
        business_timezone: 'UTC',
        accepted_currencies: '["USD"]',
        late_approvals: 'capture',
        dunning_days: '14',
        dunning_final_action: 'pause',
        missed_periods: 'each',
        locale: 'en',
        customers_may: JSON.stringify(customersMayDefault),
        refused_mismatches: '[]',
        threeds_live: 'when_available',
        threeds_sandbox: 'when_available',
        active_at: at,
        created_at: at,
        updated_at: at,
        ...columns,
      });
      const profile = profileRows({
        merchant,
        mode: 'sandbox',
        clock,
        domain: `${id}.example`,
        password_hash: null,
        tokens: [],
        integration_id: integration_ids.get(wooCommerce.name) as string,
      });
      await insertDemoRows({ cell: db, global }, catalog, profile);
      return merchantOf(id);
    },
    async makeDemoMerchant(base_url) {
      const domain = `${uuidv7(clock.now())}.example`;
      const password_hash = await hashOfPassword();
      const demoData = createDemoRows({ clock, base_url, integration_ids, domain, password_hash });
      await inBoth({ db, global }, (both) => insertDemoRows(both, catalog, demoData.rows));
      const { sandbox, live } = demoData.keys;
      const account = { email: `owner@${domain}`, password: PASSWORD };
      const dashboard_url = `${base_url}/dashboard/`;
      const credentials = { base_url, dashboard_url, shop_url: null, sandbox, live, account };
      return { ...merchantOf(demoData.merchant_id), credentials };
    },
    async getDemoMerchant() {
      const [row] = await db.query('select id from merchants order by created_at limit 1', []);
      return merchantOf(row?.id as string);
    },
    async [Symbol.asyncDispose]() {
      for (const each of new Set([db, global])) await each[Symbol.asyncDispose]();
    },
  };
}
