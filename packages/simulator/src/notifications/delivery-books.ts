import type { DatabaseSync } from 'node:sqlite';

/**
 * `position` orders deliveries by arrival. A `held` delivery waits until a later one of its address is stored.
 * `lost` deliveries are never sent.
 */
export const DELIVERY_SCHEMA = `
  create table if not exists deliveries (
    position integer primary key autoincrement,
    url text not null,
    event text not null,
    subject text not null,
    headers text not null,
    body text not null,
    state text not null check (state in ('waiting', 'held', 'lost', 'delivered', 'failed')),
    attempts integer not null,
    due_at integer not null,
    last_result text
  ) strict;
  create index if not exists deliveries_waiting on deliveries (url, due_at) where state = 'waiting';
  create index if not exists deliveries_due on deliveries (due_at) where state = 'waiting';
  create index if not exists deliveries_held on deliveries (url) where state = 'held'`;

export type DeliveryState = 'waiting' | 'held' | 'lost' | 'delivered' | 'failed';

/** Delivery before it is stored. `dueAt` is in milliseconds since 1970. */
export interface NewDelivery {
  readonly url: string;
  /** Type of the event. */
  readonly event: string;
  /** Record that the event is about. */
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly state: DeliveryState;
  readonly dueAt: number;
}

/** Delivery in the books. */
export interface StoredDelivery extends NewDelivery {
  readonly position: number;
  readonly attempts: number;
  /** HTTP status of the latest attempt, or the reason why there was no response. */
  readonly lastResult: string | null;
}

/** Result of an attempt, which a delivery takes over. */
export type DeliveryChange = Pick<
  StoredDelivery,
  'position' | 'state' | 'attempts' | 'dueAt' | 'lastResult'
>;

/** Deliveries of notifications in the books. Call the writing functions only inside a commit. */
export interface DeliveryBooks {
  /** Stores a delivery and returns its position. Removes the oldest finished ones over the limit. */
  add(delivery: NewDelivery): number;
  /** Makes held deliveries of an address due at a time. */
  release(url: string, dueAt: number): void;
  update(change: DeliveryChange): void;
  find(position: number): StoredDelivery | undefined;
  /** Deliveries, newest first. */
  latest(limit: number): StoredDelivery[];
  /** First due deliveries of an address. */
  dueOf(url: string, now: number, limit: number): StoredDelivery[];
  /** Addresses with deliveries that are still to be sent. */
  openUrls(): string[];
  /** First time after `now` at which a delivery is due. */
  nextDue(now: number): number | undefined;
}

/** Finished deliveries that the books keep. */
const FINISHED_KEPT_MAX = 10_000;

/**
 * `holdsBackAfter`: attempts after which a waiting delivery holds back the others of its address. Without it, none
 * does.
 */
export function createDeliveryBooks(
  db: DatabaseSync,
  holdsBackAfter = Number.MAX_SAFE_INTEGER,
): DeliveryBooks {
  const insert = db.prepare(
    'insert into deliveries values (null, ?, ?, ?, ?, ?, ?, 0, ?, null) returning position',
  );
  const prune = db.prepare(
    `delete from deliveries where position < ? and state not in ('waiting', 'held')`,
  );
  const release = db.prepare(
    `update deliveries set state = 'waiting', due_at = ? where url = ? and state = 'held'`,
  );
  const update = db.prepare(
    'update deliveries set state = ?, attempts = ?, due_at = ?, last_result = ? where position = ?',
  );
  return {
    add({ url, event, subject, headers, body, state, dueAt }) {
      const json = JSON.stringify(headers);
      const position = Number(insert.get(url, event, subject, json, body, state, dueAt)?.position);
      prune.run(position - FINISHED_KEPT_MAX);
      return position;
    },
    release: (url, dueAt) => void release.run(dueAt, url),
    update: ({ position, state, attempts, dueAt, lastResult }) =>
      void update.run(state, attempts, dueAt, lastResult, position),
    ...createDeliveryQueries(db, holdsBackAfter),
  };
}

function createDeliveryQueries(
  db: DatabaseSync,
  holdsBackAfter: number,
): Pick<DeliveryBooks, 'find' | 'latest' | 'dueOf' | 'openUrls' | 'nextDue'> {
  const selectOne = db.prepare('select * from deliveries where position = ?');
  const selectLatest = db.prepare('select * from deliveries order by position desc limit ?');
  const isFree = `not exists (select 1 from deliveries b where b.state = 'waiting' and b.url = d.url
    and b.attempts >= ${holdsBackAfter} and b.due_at > ?)`;
  const order = `attempts >= ${holdsBackAfter} desc, due_at, position`;
  // The inner query sorts keys alone: a backlog may have thousands of bodies.
  const selectDue = db.prepare(
    `select * from deliveries where position in (
       select position from deliveries d
       where state = 'waiting' and url = ? and due_at <= ? and ${isFree} order by ${order} limit ?)
     order by ${order}`,
  );
  const selectUrls = db.prepare(
    `select distinct url from deliveries where state in ('waiting', 'held')`,
  );
  const selectNextDue = db.prepare(
    `select min(due_at) as at from deliveries where state = 'waiting' and due_at > ?`,
  );
  const first = (row: Row | undefined) => row && deliveryOf(row);
  return {
    find: (position) => first(selectOne.get(position)),
    latest: (limit) => selectLatest.all(limit).map(deliveryOf),
    dueOf: (url, now, limit) => selectDue.all(url, now, now, limit).map(deliveryOf),
    openUrls: () => selectUrls.all().map(({ url }) => String(url)),
    nextDue(now) {
      const at = selectNextDue.get(now)?.at;
      return typeof at === 'number' ? at : undefined;
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

const deliveryOf = (row: Row): StoredDelivery => ({
  position: Number(row.position),
  url: String(row.url),
  event: String(row.event),
  subject: String(row.subject),
  headers: JSON.parse(String(row.headers)) as Record<string, string>,
  body: String(row.body),
  state: row.state as DeliveryState,
  attempts: Number(row.attempts),
  dueAt: Number(row.due_at),
  lastResult: row.last_result as string | null,
});
