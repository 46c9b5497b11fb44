import {
  LEDGER_LINES_MAX,
  type LedgerLine,
  type LedgerPage,
} from '@florin/contract/ledger-page.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, microsOf } from '../../platform/time/clock.ts';

/** The page that rows of `readLedgerLines` make: every line has the balance of the line above, less that line. */
export function ledgerPageOf(
  rows: readonly Row[],
  lines_max: number = LEDGER_LINES_MAX,
): LedgerPage {
  const found = rows.filter(({ cents }) => cents !== null);
  const shown = found.slice(0, lines_max);
  const lastRead = rows.find(({ cents }) => cents === null);
  const last = found.length > shown.length ? shown.at(-1) : lastRead;
  return { lines: withBalances(shown), next: last ? `${atOf(last)}_${last.id}` : null };
}

const atOf = ({ created_at }: Row): string => instantText(microsOf(created_at as string));

function withBalances(rows: readonly Row[]): LedgerLine[] {
  let balance = BigInt(rows[0]?.balance_cents ?? 0);
  return rows.map((row) => {
    const line: LedgerLine = {
      id: row.id as string,
      created_at: atOf(row),
      kind: row.kind as LedgerLine['kind'],
      payment_demand_id: row.payment_demand_id ?? null,
      amount_cents: row.cents as string,
      balance_cents: row.is_uncounted === 't' ? null : String(balance),
    };
    balance -= BigInt(row.cents ?? 0);
    return line;
  });
}
