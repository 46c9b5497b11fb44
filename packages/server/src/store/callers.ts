import type { KeyContext, MerchantSettings, ThreeDSecurePolicy } from '../kernel/caller.ts';
import type { Db } from './db.ts';
import type { Scope } from './scope.ts';

/** Who is asking: a key, its merchant and mode, and what it may do. */
export interface Caller {
  readonly token_id: string;
  readonly scope: Scope;
  readonly context: KeyContext;
  readonly permissions: ReadonlySet<string> | 'all';
  readonly settings: MerchantSettings;
  /** ISO text in UTC; null for a key that does not expire. */
  readonly expiry: string | null;
}

/** A publishable key is public: the hosted form has paths of its own, so over the interface it may do nothing. */
const BROWSER_PERMISSIONS: ReadonlySet<string> = new Set();

/** The caller of a key by the key's SHA-256 in hex: the one query that comes before any scope. */
export async function findCaller(db: Db, keyHash: string): Promise<Caller | undefined> {
  const [row] = await db.query(
    `select t.id, t.merchant_id, t.mode, t.context, t.permissions,
       to_char(t.expiry at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as expiry,
       m.accepted_currencies, m.business_timezone,
       case t.mode when 'live' then m.threeds_live else m.threeds_sandbox end as threeds
     from merchant_tokens t join merchants m on m.id = t.merchant_id
     where t.token_hash = decode($1, 'hex')`,
    [keyHash],
    'find_caller',
  );
  if (!row) return undefined;
  const context = row.context as KeyContext;
  return {
    token_id: row.id as string,
    scope: { merchant_id: row.merchant_id as string, mode: row.mode as Scope['mode'] },
    context,
    permissions: permissionsOf(context, row.permissions),
    settings: {
      currencies: new Set(JSON.parse(row.accepted_currencies as string) as string[]),
      timezone: row.business_timezone as string,
      threeds: row.threeds as ThreeDSecurePolicy,
    },
    expiry: row.expiry ?? null,
  };
}

function permissionsOf(
  context: KeyContext,
  listed: string | null | undefined,
): Caller['permissions'] {
  if (context === 'browser') return BROWSER_PERMISSIONS;
  return listed ? new Set(JSON.parse(listed) as string[]) : 'all';
}

/** The merchant that was made first, which on a new installation is the demo merchant. */
export async function findFirstMerchant(db: Db): Promise<string | undefined> {
  const [row] = await db.query('select id from merchants order by created_at, id limit 1', []);
  return row?.id ?? undefined;
}
