import type { DocumentKind } from '@florin/contract/resources/documents.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText, type RowKey } from '../../platform/database/row-key.ts';
import { findRowsByKey, insertRows } from '../../platform/database/rows.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { gatherFacts, type Subject } from './gather-facts.ts';
import { findDocuments, lockSequences, type Sequence, saveSequences } from './sql.ts';

type IssueServices = Pick<Services, 'catalog' | 'timelines'>;

/** Payments and refunds that need a document. */
export interface Subjects {
  readonly payments: readonly RowKey[];
  readonly refunds: readonly RowKey[];
}

/**
 * Issues missing documents of succeeded payments and refunds, in the caller's transaction. A refund's payment gets its
 * document first, since the credit note names it. Sequences are locked in one order: first those of payments.
 */
export async function issueDocuments(
  services: IssueServices,
  tx: Db,
  { payments: paymentKeys, refunds: refundKeys }: Subjects,
): Promise<void> {
  const refunds = await findSucceeded(tx, 'refund_demands', refundKeys);
  const payments = await findSucceeded(tx, 'payment_demands', [
    ...paymentKeys,
    ...refunds.map(paymentKey),
  ]);
  await store(
    services,
    tx,
    'payments',
    payments.map((payment) => ({ payment })),
  );
  const byKey = new Map(payments.map((payment) => [keyText(payment), payment]));
  const refunded = refunds.flatMap((refund) => {
    const payment = byKey.get(keyText(paymentKey(refund)));
    return payment ? [{ payment, refund }] : [];
  });
  await store(services, tx, 'refunds', refunded);
}

const paymentKey = ({ merchant_id, payment_demand_id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: payment_demand_id as string,
});

async function findSucceeded(tx: Db, table: string, keys: readonly RowKey[]): Promise<Row[]> {
  if (keys.length === 0) return [];
  const rows = await findRowsByKey(tx, table, keys);
  return rows.filter(({ succeeded_at }) => succeeded_at);
}

const PREFIXES = { invoice: 'INV', receipt: 'REC', credit_note: 'CN' } as const satisfies Record<
  DocumentKind,
  string
>;
const NUMBER_DIGITS = 6;

const kindOf = ({ payment, refund }: Subject): DocumentKind => {
  if (refund) return 'credit_note';
  return payment.payment_subscription_id ? 'invoice' : 'receipt';
};

const sequenceOf = (subject: Subject): Sequence => ({
  ...scopeOf(subject.payment),
  kind: kindOf(subject),
});

const keyOfSubject = ({ payment, refund }: Subject): RowKey => {
  const { merchant_id, id } = refund ?? payment;
  return { merchant_id: merchant_id as string, id: id as string };
};

/**
 * Stores documents with the next numbers. Existing documents are read under the locks of the sequences, so two processes
 * never number the same subject.
 */
async function store(
  services: IssueServices,
  tx: Db,
  about: 'payments' | 'refunds',
  subjects: readonly Subject[],
): Promise<void> {
  if (subjects.length === 0) return;
  const lastNumbers = await lockedNumbers(tx, subjects);
  const existing = await findDocuments(tx, about, subjects.map(keyOfSubject));
  const existingKeys = new Set(existing.map(subjectKeyText));
  const missing = subjects.filter((subject) => !existingKeys.has(keyText(keyOfSubject(subject))));
  if (missing.length === 0) return;
  const facts = await gatherFacts(tx, missing);
  const rows = missing.map((subject, at) => {
    const sequence = sequenceOf(subject);
    const next = (lastNumbers.get(sequenceText(sequence))?.last_number ?? 0) + 1;
    lastNumbers.set(sequenceText(sequence), { ...sequence, last_number: next });
    return { ...documentRow(services, subject, next), ...facts[at] };
  });
  await insertRows(tx, services.catalog, 'documents', rows);
  await saveSequences(tx, [...lastNumbers.values()]);
}

const subjectKeyText = ({ merchant_id, refund_demand_id, payment_demand_id }: Row): string =>
  keyText({
    merchant_id: merchant_id as string,
    id: (refund_demand_id ?? payment_demand_id) as string,
  });

const sequenceText = ({ merchant_id, mode, kind }: Sequence): string =>
  `${merchant_id} ${mode} ${kind}`;

async function lockedNumbers(
  tx: Db,
  subjects: readonly Subject[],
): Promise<Map<string, Sequence & { readonly last_number: number }>> {
  const rows = await lockSequences(tx, subjects.map(sequenceOf));
  return new Map(
    rows.map((row) => {
      const sequence = { ...scopeOf(row), kind: row.kind as DocumentKind };
      return [sequenceText(sequence), { ...sequence, last_number: Number(row.last_number) }];
    }),
  );
}

/** The row without facts, at the time of the customer's timeline. */
function documentRow({ timelines }: IssueServices, subject: Subject, number: number): Row {
  const { payment, refund } = subject;
  const now = timelines.of(scopeOf(payment), payment.payer_id).clock.now();
  const at = instantText(now);
  const kind = kindOf(subject);
  return {
    ...scopeOf(payment),
    id: uuidv7(now),
    kind,
    number: `${PREFIXES[kind]}-${String(number).padStart(NUMBER_DIGITS, '0')}`,
    amount_cents: refund ? refund.amount_cents : payment.amount_captured_cents,
    amount_currency: payment.amount_currency,
    customer_id: payment.payer_id ?? null,
    payment_demand_id: payment.id as string,
    refund_demand_id: refund?.id ?? null,
    payment_subscription_id: payment.payment_subscription_id ?? null,
    issued_at: at,
    created_at: at,
    updated_at: at,
  } as Row;
}
