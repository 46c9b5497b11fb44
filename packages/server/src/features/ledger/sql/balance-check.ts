import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import {
  ALL_KEYS,
  inRange,
  type KeyRange,
  lastKeyOf,
  rangeValues,
  slicesOf,
} from '../../../platform/database/slices/key-slices.ts';
import { AMOUNTS, sumsWhere } from './balances.ts';
import { CHECKED_MAX, type CheckOptions, DIFFERENCES_MAX } from './ledger-check.ts';

/** Maximum number of merchants whose balances are read together. */
const MERCHANTS_MAX = 500;
/** Settling moves transfers and balances meanwhile. Only real differences remain. */
const TRIES_MAX = 3;

const TRANSFERS = { table: 'ledger_transfers', column: 'id' } as const;

/** Balances that differ from the sum of their transfers, with the expected values. */
export async function findBalanceDifferences(db: Db, options: CheckOptions = {}): Promise<Row[]> {
  const differences: Row[] = [];
  for await (const range of merchantRanges(db, options.range)) {
    const { rows, balances } = await compareRange(db, range, options);
    differences.push(...(await withoutResets(db, rows)));
    options.checked?.(balances);
  }
  return differences.slice(0, DIFFERENCES_MAX);
}

/** Leaves out sandboxes that a reset is emptying: their balances change between two statements. */
async function withoutResets(db: Db, differences: readonly Row[]): Promise<Row[]> {
  if (differences.length === 0) return [];
  const resets = await db.query(
    'select merchant_id from sandbox_resets where finished_at is null and merchant_id = any ($1::uuid[])',
    [differences.map(({ merchant_id }) => merchant_id)],
  );
  const emptied = new Set(resets.map(({ merchant_id }) => merchant_id));
  return differences.filter(
    ({ merchant_id, mode }) => mode !== 'sandbox' || !emptied.has(merchant_id),
  );
}

/** Ranges of keys, each with at most `MERCHANTS_MAX` merchants. Only `range` if one is given. */
export async function* merchantRanges(db: Db, range?: KeyRange): AsyncGenerator<KeyRange> {
  if (range) return yield range;
  let { after } = ALL_KEYS;
  for (;;) {
    const [row] = await db.query(
      'select id from merchants where id > $1 order by id offset $2 limit 1',
      [after.merchant_id, MERCHANTS_MAX - 1],
    );
    const through = row?.id ? lastKeyOf(row.id) : ALL_KEYS.through;
    yield { after, through };
    if (!row) return;
    after = through;
  }
}

interface ComparedRange {
  readonly rows: readonly Row[];
  /** Number of stored balances. */
  readonly balances: number;
}

async function compareRange(
  db: Db,
  range: KeyRange,
  options: CheckOptions,
  tries = 1,
): Promise<ComparedRange> {
  const { horizon, balances } = await readBalances(db, range);
  const sums = await sumTransfers(db, range, horizon, options);
  const rows = differencesBetween(sums, new Map(balances.map((row) => [balanceKey(row), row])));
  return rows.length > 0 && tries < TRIES_MAX
    ? compareRange(db, range, options, tries + 1)
    : { rows, balances: balances.length };
}

/** Stored balances of a range, and the stamp before which they include all transfers. */
async function readBalances(
  db: Db,
  range: KeyRange,
): Promise<{ readonly horizon: string; readonly balances: readonly Row[] }> {
  const rows = await db.query(
    `select posted_before, b.* from balance_horizon left join (
       select * from balances where ${inRange('id')}) b on true`,
    rangeValues(range),
  );
  return {
    horizon: rows[0]?.posted_before as string,
    balances: rows.filter(({ merchant_id }) => merchant_id !== null),
  };
}

/** Sums of the transfers before a stamp, slice by slice. Nobody adds a transfer there any more. */
async function sumTransfers(
  db: Db,
  range: KeyRange,
  horizon: string,
  { rows_max = CHECKED_MAX }: CheckOptions,
): Promise<ReadonlyMap<string, Row>> {
  const sums = new Map<string, Row>();
  for await (const slice of slicesOf(db, [TRANSFERS], range, rows_max)) {
    const rows = await db.query(sumsWhere(`${inRange('id')} and posted_in < $5`), [
      ...rangeValues(slice),
      horizon,
    ]);
    for (const row of rows) sums.set(balanceKey(row), plus(sums.get(balanceKey(row)), row));
  }
  return sums;
}

const balanceKey = ({ merchant_id, mode, amount_currency }: Row): string =>
  `${merchant_id} ${mode} ${amount_currency}`;

const plus = (sum: Row | undefined, part: Row): Row =>
  sum
    ? {
        ...sum,
        ...Object.fromEntries(
          AMOUNTS.map((name) => [name, String(BigInt(sum[name] ?? 0) + BigInt(part[name] ?? 0))]),
        ),
      }
    : part;

/** Differences of two sets of balances by key, in the order of their keys. */
function differencesBetween(
  expectedBalances: ReadonlyMap<string, Row>,
  foundBalances: ReadonlyMap<string, Row>,
): Row[] {
  return [...new Set([...expectedBalances.keys(), ...foundBalances.keys()])]
    .toSorted()
    .flatMap((key) => {
      const [expected, found] = [expectedBalances.get(key), foundBalances.get(key)];
      const amounts = AMOUNTS.map((name) => [name, expected?.[name] ?? '0', found?.[name] ?? '0']);
      if (amounts.every(([, one, other]) => one === other)) return [];
      const { merchant_id = null, mode = null, amount_currency = null } = expected ?? found ?? {};
      return [
        {
          merchant_id,
          mode,
          amount_currency,
          ...Object.fromEntries(
            amounts.flatMap(([name, one, other]) => [
              [`expected_${name}`, one],
              [`found_${name}`, other],
            ]),
          ),
        },
      ];
    });
}
