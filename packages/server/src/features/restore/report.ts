import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { approvedAmountOf } from '../attempts/other-amount.ts';
import { linesOfCheck, verifyLedger } from '../settlement/verify-ledger.ts';
import { learnedOf, linesOfCounts } from './requests.ts';
import { listDoubts } from './sql/doubts.ts';
import { countRecovered, undecidedAttempts } from './sql/recovered-attempts.ts';

/** Longest list of what a person must decide. The count has no such limit. */
const LISTED_MAX = 100;

/** A report about a restore: sentences, and whether the ledger agrees. */
export interface RestoreReport {
  readonly lines: readonly string[];
  readonly is_ok: boolean;
}

/** Tells what was learned, what a person must decide, and whether the ledger agrees with the records. */
export async function reportRestore(
  db: Db,
  restored_to: string | undefined,
): Promise<RestoreReport> {
  const learned = restored_to === undefined ? undefined : await learnedOf(db, restored_to);
  const checks = await verifyLedger(db);
  const undecided = await undecidedAttempts(db, LISTED_MAX);
  const doubts = await listDoubts(db, LISTED_MAX);
  const lines = [
    restored_to === undefined
      ? 'The installation is open.'
      : `The installation was restored to ${restored_to} and is closed.`,
    ...(learned
      ? [`Learned at ${learned.at}:`, ...linesOfCounts(learned.counts), ...learned.notes]
      : restored_to === undefined
        ? []
        : ['Nothing was learned yet. Run "restore learn".']),
    ...(await countRecovered(db)).map(lineOfCount),
    ...(undecided.length > 0
      ? [
          `A person must decide, at most ${LISTED_MAX} listed. These payments stay as they are until then:`,
        ]
      : doubts.length > 0
        ? []
        : ['Nobody has to decide anything.']),
    ...undecided.map(lineOfUndecided),
    ...(doubts.length > 0 ? [DOUBTS] : []),
    ...doubts.map(lineOfDoubt),
    ...(learned?.unreported ?? []).map(
      (account) =>
        `${account} does not list refunds of the lost time to Florin: compare them with its own list.`,
    ),
    ...checks.flatMap(linesOfCheck),
  ];
  return { lines, is_ok: checks.every(({ differences }) => differences.length === 0) };
}

const DOUBTS = `A person must decide whether these authorisations were captured, refunded or released, at most ${LISTED_MAX} listed:`;

const lineOfDoubt = (row: Row): string => {
  const { mode, id, payment_demand_id, merchant_id, status, amount_cents, amount_currency } = row;
  return `  ${mode} authorisation ${id}: payment ${payment_demand_id} of merchant ${merchant_id}, ${status}, ${amount_cents} ${amount_currency} in minor units, captured ${row.amount_captured_cents ?? 0}, at ${row.account ?? row.processor}`;
};

const lineOfCount = ({ mode, status, number }: Row): string =>
  `recovered messages, ${mode}, ${status}: ${number}`;

const lineOfUndecided = (row: Row): string => {
  const renewal = row.payment_subscription_id
    ? `renewal of subscription ${row.payment_subscription_id}, `
    : '';
  const account = row.account ?? row.processor;
  const approved = approvedAmountOf(row);
  const other =
    row.status === 'reversing'
      ? ', whose reversal nobody confirms'
      : approved
        ? `, which approved ${approved}`
        : '';
  return `  ${row.mode} attempt ${row.id}: ${renewal}payment ${row.payment_demand_id} of merchant ${row.merchant_id}, ${row.amount_cents} ${row.amount_currency} in minor units, at ${account}${other}`;
};
