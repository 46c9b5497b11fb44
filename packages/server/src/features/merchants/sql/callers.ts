import { createLru } from '@florin/contract/lru.ts';
import { type EnforcementAction, merchantStatusOf } from '@florin/contract/merchant-status.ts';
import type { threedsPolicies } from '@florin/contract/threeds-policies.ts';
import type { Caller, Callers, KeyContext, MerchantSettings } from '../../../platform/caller.ts';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { type Scope, scopeOf } from '../../../platform/database/scope.ts';
import { modeColumns } from '../../../platform/mode-columns.ts';
import { type AccessEpoch, createAccessEpoch } from './access-epoch.ts';
import { enforcementActionSql } from './enforcement-actions.ts';

/** Permissions of publishable keys: none in the interface. The hosted form uses other routes. */
const BROWSER_PERMISSIONS: ReadonlySet<string> = new Set();

/**
 * Finds the caller of a key by its SHA-256 in hex. The only query without a scope. Keys of removed members have ended,
 * also one that a concurrent request has created.
 */
export async function findCaller(db: Db, keyHash: string): Promise<Caller | undefined> {
  const [row] = await db.query(
    `select t.id, t.merchant_id, t.mode, t.context, t.permissions, t.origins, t.creator_id,
       t.revoked_at is not null or b.removed_at is not null as revoked,
       to_char(least(t.expiry, b.removed_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as expiry,
       ${settingsColumns('t.mode')}
     from merchant_tokens t join merchants m on m.id = t.merchant_id
       left join memberships b on b.merchant_id = t.merchant_id and b.id = t.creator_id
     where t.token_hash = decode($1, 'hex')`,
    [keyHash],
    'find_caller',
  );
  if (!row) return undefined;
  const context = row.context as KeyContext;
  return {
    token_id: row.id as string,
    revoked: row.revoked === 't',
    scope: scopeOf(row),
    context,
    permissions: keyPermissions(context, row.permissions),
    settings: settingsOf(row, row.mode as Scope['mode']),
    origins: JSON.parse(row.origins as string) as string[],
    expiry: row.expiry ?? null,
    creator_id: row.creator_id ?? null,
  };
}

/** A merchant's settings, for requests without a key, such as a payer's on our pages. */
export async function findSettings(
  db: Db,
  { merchant_id, mode }: Scope,
): Promise<MerchantSettings | undefined> {
  const [row] = await db.query(
    `select ${settingsColumns('$2')} from merchants m where m.id = $1`,
    [merchant_id, mode],
    'find_settings',
  );
  return row && settingsOf(row, mode);
}

/** Columns of a merchant that are cached with its keys. */
export const settingNames = [
  'accepted_currencies',
  'amount_limits',
  'sandbox_accepted_currencies',
  'sandbox_amount_limits',
  'business_timezone',
  'threeds_live',
  'threeds_sandbox',
] as const;

/** SQL: columns of the merchant `m` that `settingsOf` reads. `mode` is an SQL expression. */
export const settingsColumns = (mode: string): string =>
  `${modeColumns(['accepted_currencies', 'amount_limits'], { mode, alias: 'm' })},
   m.business_timezone, m.active_at,
   case ${mode} when 'live' then m.threeds_live else m.threeds_sandbox end as threeds,
   ${enforcementActionSql('m.id', mode)} as measure`;

/** Settings from a row with `settingsColumns`. */
export const settingsOf = (row: Row, mode: Scope['mode']): MerchantSettings => ({
  merchant_status: merchantStatusOf({
    mode,
    approved: row.active_at != null,
    action: (row.measure ?? undefined) as EnforcementAction | undefined,
  }),
  currencies: new Set(JSON.parse(row.accepted_currencies as string) as string[]),
  timezone: row.business_timezone as string,
  ...threedsOf(row.threeds as (typeof threedsPolicies)[number]),
  ...(row.amount_limits && { amount_limits: limitsByCurrency(row.amount_limits) }),
});

const threedsOf = (
  policy: (typeof threedsPolicies)[number],
): Pick<MerchantSettings, 'threeds' | 'accepts_asserted_threeds'> =>
  policy === 'required_or_asserted'
    ? { threeds: 'required', accepts_asserted_threeds: true }
    : { threeds: policy, accepts_asserted_threeds: false };

interface CurrencyLimits {
  readonly amount_currency: string;
  readonly min_cents: number | null;
  readonly max_cents: number | null;
}

const limitsByCurrency = (json: string): ReadonlyMap<string, CurrencyLimits> =>
  new Map((JSON.parse(json) as CurrencyLimits[]).map((limits) => [limits.amount_currency, limits]));

/** Permissions of a key from its stored list. */
export function keyPermissions(
  context: KeyContext,
  slugsJson: string | null | undefined,
): Caller['permissions'] {
  if (context === 'browser') return BROWSER_PERMISSIONS;
  return slugsJson ? new Set(JSON.parse(slugsJson) as string[]) : 'all';
}

/** Milliseconds for which a key works after another process has revoked it. */
const CACHE_LIFE_MS = 5_000;
/** Cache sizes: keys with a caller, and keys that do not exist. */
const CACHE_SIZES = { known_max: 10_000, unknown_max: 10_000 };
/** Limits of concurrent lookups of unknown keys. Low, so that connections remain for known keys. */
const LOOKUPS = { max: 4, waiting_max: 1_000 };
/**
 * Limits of concurrent repeated lookups: a new epoch repeats the lookup of each key. Low, so that
 * connections remain for requests.
 */
export const REPEATED_LOOKUPS = { max: 4, waiting_max: CACHE_SIZES.known_max };

/** A result of a lookup with its expiry in the cache and the epoch of the lookup. */
interface CachedLookup {
  readonly until: number;
  readonly epoch: string;
}

interface CachedCaller extends CachedLookup {
  readonly caller: Caller;
}

/**
 * Creates a cache of callers. Keys that do not exist have a cache of their own, so that guesses
 * evict no real key.
 */
export function createCallers(
  db: Db,
  monotonic_ms: () => number,
  { known_max, unknown_max } = CACHE_SIZES,
  epochs: AccessEpoch = createAccessEpoch(db, monotonic_ms),
): Callers {
  const knownCallers = createLru<CachedCaller>(known_max);
  const unknownKeys = createLru<CachedLookup>(unknown_max);
  const inFlight = new Map<string, ReturnType<typeof load>>();
  const unknownKeyLimiter = createLimiter({ total: LOOKUPS });
  const knownKeyLimiter = createLimiter({ total: REPEATED_LOOKUPS });

  /** Loads a caller. Reads the epoch first, so that the caller is of this epoch or a later one. */
  async function load(keyHash: string): Promise<{ epoch: string; caller: Caller | undefined }> {
    const epoch = await epochs.current();
    const query = () => findCaller(db, keyHash);
    const limiter = knownCallers.get(keyHash) ? knownKeyLimiter : unknownKeyLimiter;
    return { epoch, caller: await limiter.run(query) };
  }

  async function lookUpCaller(keyHash: string): Promise<Caller | undefined> {
    const until = monotonic_ms() + CACHE_LIFE_MS;
    const lookup = load(keyHash);
    inFlight.set(keyHash, lookup);
    // After an eviction, a running lookup may have read the rows before the change.
    const isCurrent = () => inFlight.get(keyHash) === lookup;
    try {
      const { epoch, caller } = await lookup;
      if (isCurrent()) cacheLookup(keyHash, caller, { until, epoch });
      return caller;
    } finally {
      if (isCurrent()) inFlight.delete(keyHash);
    }
  }

  function cacheLookup(keyHash: string, caller: Caller | undefined, lookup: CachedLookup): void {
    if (caller) knownCallers.set(keyHash, { ...lookup, caller });
    else {
      knownCallers.delete(keyHash);
      unknownKeys.set(keyHash, lookup);
    }
  }

  return {
    async find(keyHash) {
      const now = monotonic_ms();
      const entry = knownCallers.get(keyHash);
      if (entry && entry.until > now && entry.epoch === (await epochs.current())) {
        return entry.caller;
      }
      const unknown = unknownKeys.get(keyHash);
      // A key may arrive from another cell, with its merchant.
      if (unknown && unknown.until > now && unknown.epoch === (await epochs.current()))
        return undefined;
      const lookup = inFlight.get(keyHash);
      return lookup ? (await lookup).caller : lookUpCaller(keyHash);
    },
    wasFound: (keyHash) => knownCallers.get(keyHash) !== undefined,
    isLookedUp: (keyHash) => inFlight.has(keyHash),
    evict(keyHash) {
      knownCallers.delete(keyHash);
      unknownKeys.delete(keyHash);
      inFlight.delete(keyHash);
    },
    clearCache() {
      epochs.evict();
      inFlight.clear();
    },
  };
}

/** The oldest merchant: on a new installation, the demo merchant. */
export async function findFirstMerchant(db: Db): Promise<string | undefined> {
  const [row] = await db.query('select id from merchants order by created_at, id limit 1', []);
  return row?.id ?? undefined;
}
