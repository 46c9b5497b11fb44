import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { type IfMatch, requireMatch } from '../../jsonapi/etag.ts';
import { notFound } from '../../jsonapi/problems.ts';
import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/database/db.ts';
import type { IdempotencyKey } from '../../platform/database/idempotency.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { type Scope, scopeText } from '../../platform/database/scope.ts';
import {
  type Change,
  type ChangedRow,
  lockRows,
  transition,
} from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import type { WaitingLimit } from './creator.ts';
import { emitEvents } from './emit.ts';
import { storeKeys } from './keys.ts';
import { invalidReferences, type NamedReference } from './references.ts';

/** Change of a locked row. An empty decision changes nothing. */
export interface Decision {
  readonly trigger?: string;
  readonly set: Row;
  /**
   * Slugs of the change's events, in order: each event's time is a microsecond after the previous
   * one.
   */
  readonly events: readonly string[];
}

export interface UpdateItem {
  readonly scope: Scope;
  readonly id: string;
  /** Columns that the client sent. Values that the locked row already has are left out. */
  readonly columns?: Row;
  /**
   * Rows that must exist and not have ended for this change, from the locked row and its changed
   * columns.
   */
  readonly references?: (row: Row, columns: Row) => readonly NamedReference[];
  /** Versions that the client's `If-Match` allows; absent if it allows any. */
  readonly if_match?: IfMatch | undefined;
  /** Throws if the client sent read-only members that differ from the locked row. */
  readonly requireUnchanged?: ((row: Row) => void) | undefined;
  /**
   * Key to store with the change. The item rejects with `keyTaken` if an earlier request used the
   * key.
   */
  readonly idempotency?: IdempotencyKey | undefined;
  /** Pure. Decides from the locked row, or throws a `ProblemError` that refuses the change. */
  readonly decide: (row: Row, now: Micros, columns: Row) => Decision;
}

/** Conditions of a change from its request. */
export const conditionsOf = (
  { scope, if_match, requireUnchanged, idempotency }: RequestContext,
  id: string,
): Pick<UpdateItem, 'scope' | 'id' | 'if_match' | 'requireUnchanged' | 'idempotency'> => ({
  scope,
  id,
  if_match,
  requireUnchanged,
  idempotency,
});

/**
 * Finds reasons in other tables to refuse changes. The rows are locked, so nothing new can
 * reference them.
 */
export type Refuse = (
  tx: Db,
  items: readonly UpdateItem[],
) => Promise<ReadonlyMap<UpdateItem, Error>>;

/** Follow-on changes of other rows, in the same transaction. */
export type FollowOnChanges = (
  tx: Db,
  changed: readonly ChangedRow[],
  now: Micros,
) => Promise<void>;

/**
 * Follow-on work of accepted requests, in the same transaction. Also runs if the rows do not
 * change.
 */
type FollowOnWork = (tx: Db, rows: readonly Row[], now: Micros) => Promise<void>;

export interface UpdaterOptions {
  readonly table: string;
  readonly refuse?: Refuse;
  readonly followOnChanges?: FollowOnChanges;
  readonly followOnWork?: FollowOnWork;
  /** Columns that differ from the row's values. Default: all columns. */
  readonly differing?: (row: Row, columns: Row) => Row;
}

export type Updater = (item: UpdateItem) => Promise<Row>;

type Store = Pick<Services, 'db' | 'catalog' | 'models' | 'clock'> &
  Partial<Pick<Services, 'batch_sizes'>> &
  WaitingLimit;

/** Returns a function that changes rows of one table; concurrent changes share one transaction. */
export const createUpdater = (services: Store, options: UpdaterOptions): Updater =>
  createBatcher({
    run: (items: readonly UpdateItem[]) => updateAll(services, options, items),
    keyOf: ({ scope, id }) => keyText({ ...scope, id }),
    ownerOf: ({ scope }) => scopeText(scope),
    queue_max: services.config.waiting_max,
    onBatch: services.batch_sizes?.observerOf(`change ${options.table}`),
  });

async function updateAll(
  services: Store,
  { table, refuse, followOnChanges, followOnWork, differing }: UpdaterOptions,
  items: readonly UpdateItem[],
): Promise<(Row | Error)[]> {
  return services.db.transaction(async (tx) => {
    const now = services.clock.now();
    const at = instantText(now);
    const rows = await lockRows(
      tx,
      table,
      items.map(({ scope, id }) => ({ ...scope, id })),
      refuse && 'reference',
    );
    const lockedItems = items.map((item) => lockedItemOf(item, rows, differing));
    const broken = await referenceErrorsOf(tx, lockedItems);
    const refused = (await refuse?.(tx, items)) ?? new Map<UpdateItem, Error>();
    const refusals = new Map([...broken, ...refused]);
    const outcomes = lockedItems.map((lockedItem) =>
      decideOne(lockedItem, now, refusals.get(lockedItem.item)),
    );
    const decisions = await storeKeys(tx, services.catalog, items, outcomes, at);
    const grantedDecisions = decisions.filter(isGranted);
    const changes = grantedDecisions.filter(isChange);
    const changedRows = await transition(tx, services.catalog, { table, at }, changes);
    await emitEvents(services, tx, table, now, changes, changedRows);
    await followOnChanges?.(
      tx,
      changes.map(({ before }, at) => ({ before, after: changedRows[at] as Row })),
      now,
    );
    await followOnWork?.(
      tx,
      grantedDecisions.map(({ before }) => before),
      now,
    );
    const rowByChange = new Map(changes.map((change, at) => [change, changedRows[at] as Row]));
    return decisions.map((decision) =>
      decision instanceof Error
        ? decision
        : (rowByChange.get(decision) ?? (decision.before as Row)),
    );
  });
}

const isGranted = (outcome: (Change & Decision) | Error): outcome is Change & Decision =>
  !(outcome instanceof Error);

const isChange = ({ trigger, events, set }: Change & Decision): boolean =>
  trigger !== undefined || events.length > 0 || Object.keys(set).length > 0;

/**
 * An item with its locked row and the columns to change. Without a row, the record does not exist
 * in the client's scope.
 */
interface LockedItem {
  readonly item: UpdateItem;
  readonly before: Row | undefined;
  readonly columns: Row;
}

function lockedItemOf(
  item: UpdateItem,
  rows: ReadonlyMap<string, Row>,
  differing: UpdaterOptions['differing'] = (_row, items) => items,
): LockedItem {
  const { scope, id, columns = {} } = item;
  const row = rows.get(keyText({ ...scope, id }));
  if (!row || (row.mode ?? scope.mode) !== scope.mode) return { item, before: undefined, columns };
  return { item, before: row, columns: differing(row, columns) };
}

async function referenceErrorsOf(
  tx: Db,
  lockedItems: readonly LockedItem[],
): Promise<[UpdateItem, Error][]> {
  const itemReferences = lockedItems.map(({ item, before, columns }) => ({
    item,
    references: (before && item.references?.(before, columns)) ?? [],
  }));
  const broken = await invalidReferences(tx, itemReferences, ({ item }) => item.scope);
  return [...broken].map(([{ item }, error]) => [item, error]);
}

function decideOne(
  { item, before, columns }: LockedItem,
  now: Micros,
  refusal: Error | undefined,
): (Change & Decision) | Error {
  if (!before) return notFound();
  try {
    requireMatch(item.if_match, before);
    item.requireUnchanged?.(before);
    const decision = item.decide(before, now, columns);
    if (item.columns && isIdle(decision)) return { before, set: {}, events: [] };
    return refusal ?? { before, ...decision };
  } catch (error) {
    return error as Error;
  }
}

/** Whether a decision changes nothing, so that no event is emitted. */
const isIdle = ({ trigger, set }: Decision): boolean =>
  trigger === undefined && Object.keys(set).length === 0;
