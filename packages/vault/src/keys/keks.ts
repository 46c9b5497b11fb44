import { randomBytes } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';
import { KEY_BYTES } from './aead.ts';
import { createKeyCache } from './key-cache.ts';
import type { Kms } from './kms.ts';

/** A key encryption key of one merchant and mode, unwrapped. */
export interface Kek {
  readonly version: number;
  readonly key: Buffer;
}

export interface WrappedKek {
  readonly version: number;
  readonly wrapped: Buffer;
}

export interface Keks {
  /** The key that seals new records; made at the merchant's first. */
  current(scope: Scope): Promise<Kek>;
  /** Throws where `wrapped` is another merchant's, mode's or version's. */
  unwrap(scope: Scope, kek: WrappedKek): Promise<Kek>;
}

export function createKeks(deps: { db: Db; kms: Kms; clock: Clock }): Keks {
  const cache = createKeyCache<Buffer>();

  async function unwrap(scope: Scope, { version, wrapped }: WrappedKek): Promise<Kek> {
    const context = contextOf(scope, version);
    // The wrapped bytes are part of the id, so that a row put in another's place is never served from the cache.
    const id = `${context}:${wrapped.toString('base64')}`;
    return { version, key: await cache.get(id, () => deps.kms.unwrap(wrapped, context)) };
  }

  return {
    unwrap,
    current: async (scope) =>
      unwrap(scope, (await newest(deps.db, scope)) ?? (await createFirst(deps, scope))),
  };
}

const contextOf = ({ merchant_id, mode }: Scope, version: number): string =>
  `kek:${merchant_id}:${mode}:${version}`;

async function newest(db: Db, { merchant_id, mode }: Scope): Promise<WrappedKek | undefined> {
  const [row] = await db.query<WrappedKek>(
    `select version, wrapped from vault.keks
     where merchant_id = $1 and mode = $2 order by version desc limit 1`,
    [merchant_id, mode],
    'newest-kek',
  );
  return row;
}

async function createFirst(
  { db, kms, clock }: { db: Db; kms: Kms; clock: Clock },
  scope: Scope,
): Promise<WrappedKek> {
  const first = {
    version: 1,
    wrapped: await kms.wrap(randomBytes(KEY_BYTES), contextOf(scope, 1)),
  };
  await db.query(
    `insert into vault.keks (merchant_id, mode, version, wrapped, created_at)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [scope.merchant_id, scope.mode, first.version, first.wrapped, new Date(clock())],
  );
  return (await newest(db, scope)) ?? first;
}
