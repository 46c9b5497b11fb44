import { type IfMatch, requireMatch } from '../../jsonapi/etag.ts';
import { notFound } from '../../jsonapi/problems.ts';
import { createBatcher } from '../../kernel/batcher.ts';
import { instantText, type Micros } from '../../kernel/clock.ts';
import type { Db } from '../../store/db.ts';
import type { NewEvent } from '../../store/events.ts';
import type { IdempotencyKey } from '../../store/idempotency.ts';
import type { Row } from '../../store/row.ts';
import type { Scope } from '../../store/scope.ts';
import { type Change, keyText, lockRows, transition } from '../../store/transition.ts';
import type { Services } from '../services.ts';
import { keepKeys } from './keys.ts';
import { brokenReferences, type Pointing } from './pointing.ts';

/** What to do with one row, decided while it is locked. Where that is nothing at all, the row stays as it is. */
export interface Decision {
  readonly trigger?: string;
  readonly set: Row;
  /** Slugs of the events that tell of the change, in their order: each is a microsecond after the one before. */
  readonly events: readonly string[];
}

export interface UpdateItem {
  readonly scope: Scope;
  readonly id: string;
  /** The rows that the change points to, which must exist. */
  readonly references?: readonly Pointing[];
  /** Of the rows that the locked row points to already, those that the change needs to be in use. */
  readonly stillNeeded?: (row: Row) => readonly Pointing[];
  /** The states in which the client knows the row; any where it does not say. */
  readonly if_match?: IfMatch | undefined;
  /** Stored with the change; the item rejects with `keyTaken` where an earlier request has it. */
  readonly idempotency?: IdempotencyKey | undefined;
  /** Pure: looks at the locked row and says what to do, or throws the `ProblemError` that refuses it. */
  readonly decide: (row: Row, now: Micros) => Decision;
}

/** Looks for reasons in other tables to refuse changes, while the rows to be changed are locked and nothing new can point to them. */
export type Refuse = (
  tx: Db,
  items: readonly UpdateItem[],
) => Promise<ReadonlyMap<UpdateItem, Error>>;

/** A row that was changed. */
export interface Changed {
  readonly before: Row;
  readonly after: Row;
}

/** What a change of rows entails elsewhere, in the same transaction. */
export type Also = (tx: Db, changed: readonly Changed[], now: Micros) => Promise<void>;

/** What asking entails elsewhere, in the same transaction, also where the rows stay as they are; none was refused. */
type Granted = (tx: Db, rows: readonly Row[], now: Micros) => Promise<void>;

export interface UpdaterOptions {
  readonly table: string;
  readonly eventOf: (row: Row, slug: string, now: Micros) => NewEvent;
  readonly refuse?: Refuse;
  readonly also?: Also;
  readonly granted?: Granted;
}

export type Updater = (item: UpdateItem) => Promise<Row>;

/** Where records are changed, and when. */
type Store = Pick<Services, 'db' | 'catalog' | 'clock'>;

/** Changes rows of one table; changes that are asked for at the same time share one transaction. */
export const createUpdater = (services: Store, options: UpdaterOptions): Updater =>
  createBatcher({
    run: (items: readonly UpdateItem[]) => updateAll(services, options, items),
    keyOf: ({ scope, id }) => keyText({ ...scope, id }),
  });

async function updateAll(
  { db, catalog, clock }: Store,
  { table, eventOf, refuse, also, granted }: UpdaterOptions,
  items: readonly UpdateItem[],
): Promise<(Row | Error)[]> {
  return db.transaction(async (tx) => {
    const now = clock.now();
    const at = instantText(now);
    const rows = await lockRows(
      tx,
      table,
      items.map(({ scope, id }) => ({ ...scope, id })),
      refuse && 'reference',
    );
    const broken = await lostReferences(tx, items, rows);
    const refused = (await refuse?.(tx, items)) ?? new Map<UpdateItem, Error>();
    const refusals = new Map([...broken, ...refused]);
    const willing = items.map((item) => decideOne(item, rows, now, refusals.get(item)));
    const decided = await keepKeys(tx, catalog, items, willing, at);
    const willingly = decided.filter(isGranted);
    const changes = willingly.filter(isChange);
    const after = await transition(
      tx,
      catalog,
      {
        table,
        at,
        eventsOf: (change, row) =>
          (change as Change & Decision).events.map((slug, nth) => eventOf(row, slug, now + nth)),
      },
      changes,
    );
    await also?.(
      tx,
      changes.map(({ before }, at) => ({ before, after: after[at] as Row })),
      now,
    );
    await granted?.(
      tx,
      willingly.map(({ before }) => before),
      now,
    );
    const afterByChange = new Map(changes.map((change, at) => [change, after[at] as Row]));
    return decided.map((one) =>
      one instanceof Error ? one : (afterByChange.get(one) ?? (one.before as Row)),
    );
  });
}

const isGranted = (one: (Change & Decision) | Error): one is Change & Decision =>
  !(one instanceof Error);

const isChange = ({ trigger, events, set }: Change & Decision): boolean =>
  trigger !== undefined || events.length > 0 || Object.keys(set).length > 0;

async function lostReferences(
  tx: Db,
  items: readonly UpdateItem[],
  rows: ReadonlyMap<string, Row>,
): Promise<[UpdateItem, Error][]> {
  const pointing = items.map((item) => {
    const row = rows.get(keyText({ ...item.scope, id: item.id }));
    const needed = row && item.stillNeeded?.(row);
    return { item, references: [...(item.references ?? []), ...(needed ?? [])] };
  });
  const broken = await brokenReferences(tx, pointing, ({ item }) => item.scope);
  return [...broken].map(([{ item }, error]) => [item, error]);
}

function decideOne(
  { scope, id, if_match, decide }: UpdateItem,
  rows: ReadonlyMap<string, Row>,
  now: Micros,
  refusal: Error | undefined,
): (Change & Decision) | Error {
  const before = rows.get(keyText({ ...scope, id }));
  if (!before || (before.mode ?? scope.mode) !== scope.mode) return notFound();
  try {
    requireMatch(if_match, before);
    const decision = decide(before, now);
    return refusal ?? { before, ...decision };
  } catch (error) {
    return error as Error;
  }
}
