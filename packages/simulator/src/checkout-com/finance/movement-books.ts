import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** `position` orders movements by time of booking. Debits of the merchant have negative amounts. */
export const MOVEMENT_SCHEMA = `
  create table if not exists movements (
    position integer primary key,
    action text not null,
    payment text not null,
    channel text not null,
    reference text,
    type text not null,
    breakdown text,
    amount integer not null,
    currency text not null,
    code text not null,
    requested_at integer not null,
    processed_at integer not null
  ) strict;
  create index if not exists movements_payment on movements (payment);
  create index if not exists movements_action on movements (action);
  create index if not exists movements_day on movements (channel, processed_at)`;

/** Movement of the merchant's money by an action or a dispute, before it is stored. */
export interface NewMovement {
  /** Id of the action, or of the dispute. */
  readonly action: string;
  readonly payment: string;
  readonly channel: string;
  readonly reference: string | null;
  /** Type of the action, such as `Partial Capture`. */
  readonly type: string;
  /** Type of the moved amount; null if there are only fees. */
  readonly breakdown: string | null;
  /** Minor units; negative for debits. */
  readonly amount: number;
  readonly currency: string;
  readonly code: string;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
  readonly processedAt: number;
}

export type StoredMovement = NewMovement & { readonly position: number };

/** Conditions of a list of movements; `after` is the position of the last one of the page before. */
export interface MovementFilter {
  readonly channels: readonly string[];
  readonly payment?: string;
  readonly action?: string;
  readonly reference?: string;
  readonly after?: number;
  /** Milliseconds since 1970: `from` included, `until` not. */
  readonly from?: number;
  readonly until?: number;
}

/** Movements in the books. Call `insert` only inside a commit. */
export interface MovementBooks {
  insert(movement: NewMovement): void;
  /** Movements in the order of booking. */
  list(filter: MovementFilter, limit: number): StoredMovement[];
  /** Channels with the UTC days on which they have movements, as days since 1970. Newest first. */
  days(channels: readonly string[]): { readonly channel: string; readonly day: number }[];
}

/** Most movements of one report. */
export const MOVEMENTS_MAX = 1_000_000;

export const MOVEMENT_DAY_MS = 24 * 60 * 60_000;

export function createMovementBooks(db: DatabaseSync): MovementBooks {
  const insert = db.prepare('insert into movements values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const selectDays = db.prepare(
    `select distinct channel, processed_at / ${MOVEMENT_DAY_MS} as day from movements
     where channel in (select value from json_each(?)) order by day desc, channel`,
  );
  return {
    insert(movement) {
      const { action, payment, channel, reference, type, breakdown, amount, currency } = movement;
      const times = [movement.requestedAt, movement.processedAt] as const;
      const owner = [action, payment, channel, reference] as const;
      insert.run(...owner, type, breakdown, amount, currency, movement.code, ...times);
    },
    list: (filter, limit) => listMovements(db, filter, limit),
    days: (channels) =>
      selectDays
        .all(JSON.stringify(channels))
        .map(({ channel, day }) => ({ channel: String(channel), day: Number(day) })),
  };
}

function listMovements(
  db: DatabaseSync,
  { channels, after, from, until, ...others }: MovementFilter,
  limit: number,
): StoredMovement[] {
  const conditions: (readonly [sql: string, value: SQLInputValue])[] = [
    ['channel in (select value from json_each(?))', JSON.stringify(channels)],
    ['position > ?', after ?? 0],
    ['processed_at >= ?', from ?? 0],
    ['processed_at < ?', until ?? Number.MAX_SAFE_INTEGER],
    ...(['payment', 'action', 'reference'] as const).flatMap((column) => {
      const value = others[column];
      return value === undefined ? [] : [[`${column} = ?`, value] as const];
    }),
  ];
  const where = conditions.map(([sql]) => sql).join(' and ');
  return db
    .prepare(`select * from movements where ${where} order by position limit ?`)
    .all(...conditions.map(([, value]) => value), limit)
    .map(movementOf);
}

const movementOf = (row: Readonly<Record<string, unknown>>): StoredMovement => ({
  position: Number(row.position),
  action: String(row.action),
  payment: String(row.payment),
  channel: String(row.channel),
  reference: row.reference as string | null,
  type: String(row.type),
  breakdown: row.breakdown as string | null,
  amount: Number(row.amount),
  currency: String(row.currency),
  code: String(row.code),
  requestedAt: Number(row.requested_at),
  processedAt: Number(row.processed_at),
});
