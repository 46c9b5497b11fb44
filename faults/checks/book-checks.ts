import type { Entry, NetworkLedger } from '../books.ts';
import type { Outcome, Row } from '../outcome.ts';

/** Reports a run in which the network approved nothing: such a run proves nothing. */
export const findUnapproved = ({ networkLedger: { authorisations } }: Outcome): string[] =>
  authorisations.some(({ result, amount }) => result !== 'declined' && amount > 0)
    ? []
    : ['the network approved no payment in the whole run'];

const chargedStatuses = new Set<string | null>(['succeeded', 'authorised', 'disputed', 'reversed']);

/** Checks that a paid or held payment has exactly one approval at the network, and other payments none. */
export function checkCharges({
  records: { payments, attempts },
  networkLedger,
}: Pick<Outcome, 'records' | 'networkLedger'>): string[] {
  const paymentIds = new Map(attempts.map(({ id, payment_demand_id }) => [id, payment_demand_id]));
  const approvedEntries = networkLedger.authorisations.filter(
    ({ result }) => result === 'approved',
  );
  const approvalsByPayment = Map.groupBy(approvedEntries, ({ reference }) =>
    paymentIds.get(reference),
  );
  const unexpectedEntries = approvalsByPayment.get(undefined) ?? [];
  const differences = payments.flatMap(({ id = null, status = null, amount_cents }) => {
    const approvals = approvalsByPayment.get(id) ?? [];
    const expected = chargedStatuses.has(status) ? 1 : 0;
    const isCorrect =
      approvals.length === expected &&
      approvals.every(({ amount }) => amount === Number(amount_cents));
    return isCorrect
      ? []
      : [`payment ${id} is ${status}, and the network approved ${listAmounts(approvals)}`];
  });
  return [
    ...differences,
    ...unexpectedEntries.map(({ reference }) => `no payment has approval ${reference}`),
  ];
}

/** Failure codes that a fault, rather than a planned decline, can cause. */
const faultFailures = ['processor_unreachable', 'card_not_verified', 'subscription_cancelled'];

/** Checks that payments fail only for their scenario's reason or for a reason that a fault explains. */
export function findUnplannedFailures({
  plan: { latePolicy },
  records: { payments },
}: Outcome): string[] {
  const reasons = new Set<string | null>([
    ...faultFailures,
    'insufficient_funds',
    ...(latePolicy === 'reverse' ? ['processor_timeout'] : []),
  ]);
  return payments
    .filter(
      ({ status, failure_reason = null }) => status === 'failed' && !reasons.has(failure_reason),
    )
    .map(({ id, failure_reason }) => `payment ${id} failed: ${failure_reason}`);
}

const listAmounts = (entries: readonly Entry[]): string =>
  entries.length === 0 ? 'nothing' : entries.map(({ amount }) => amount).join(' and ');

/** Checks that refunds and captures succeeded exactly where the network's ledger says so. */
export function compareFollowUps({
  records,
  networkLedger,
}: Pick<Outcome, 'records' | 'networkLedger'>): string[] {
  const compare = (subject: string, rows: readonly Row[], entries: readonly Entry[]): string[] => {
    const approvedEntries = entries.filter(({ result }) => result === 'approved');
    const networkEntries = new Set(
      approvedEntries.map(({ reference, amount }) => `${reference} of ${amount}`),
    );
    const florinEntries = new Set(
      rows
        .filter(({ status }) => status === 'succeeded')
        .map(({ id, amount_cents }) => `${id} of ${amount_cents}`),
    );
    return [
      ...subtract(networkEntries, florinEntries).map(
        (entry) => `only the network has ${subject} ${entry}`,
      ),
      ...subtract(florinEntries, networkEntries).map(
        (entry) => `only Florin has ${subject} ${entry}`,
      ),
    ];
  };
  return [
    ...compare('refund', records.refunds, networkLedger.refunds),
    ...compare('capture', records.captures, networkLedger.captures),
    ...findOverUsed(networkLedger, 'refunds'),
    ...findOverUsed(networkLedger, 'captures'),
    ...findMiscounted(records),
  ];
}

const subtract = (entries: ReadonlySet<string>, excluded: ReadonlySet<string>): string[] =>
  [...entries].filter((entry) => !excluded.has(entry));

/** Checks that the network never captured or refunded more than an authorisation. */
function findOverUsed(networkLedger: NetworkLedger, kind: 'refunds' | 'captures'): string[] {
  const approvedEntries = networkLedger[kind].filter(({ result }) => result === 'approved');
  const byAuthorisation = Map.groupBy(approvedEntries, ({ authorisation }) => authorisation);
  return networkLedger.authorisations
    .filter(({ reference, amount }) => sumOf(byAuthorisation.get(reference)) > amount)
    .map(({ reference }) => `${kind} exceed authorisation ${reference}`);
}

/** Checks that the captured amount of each payment with captures is their sum. */
function findMiscounted({ payments, captures }: Outcome['records']): string[] {
  const succeeded = captures.filter(({ status }) => status === 'succeeded');
  const capturesByPayment = Map.groupBy(succeeded, ({ payment_demand_id }) => payment_demand_id);
  return payments.flatMap(({ id = null, amount_captured_cents }) => {
    const rows = capturesByPayment.get(id) ?? [];
    const sum = rows.reduce((total, { amount_cents }) => total + Number(amount_cents), 0);
    return rows.length === 0 || sum === Number(amount_captured_cents)
      ? []
      : [`payment ${id} has ${amount_captured_cents} captured, and its captures are ${sum}`];
  });
}

const sumOf = (entries: readonly Entry[] = []): number =>
  entries.reduce((sum, { amount }) => sum + amount, 0);

/** Compares disputes with the network's ledger. A reversed authorisation has no payment that could be disputed. */
export function checkDisputes({ records, networkLedger }: Outcome): string[] {
  const statusByReference = new Map(
    records.disputes.map(({ reference, status }) => [reference, status]),
  );
  const unreversed = new Set(
    networkLedger.authorisations
      .filter(({ result }) => result === 'approved')
      .map(({ reference }) => reference),
  );
  return networkLedger.disputes
    .filter(({ authorisation = '' }) => unreversed.has(authorisation))
    .filter(({ reference, result }) => {
      const status = statusByReference.get(reference);
      return result === 'open' ? status !== 'needs_response' : status !== result;
    })
    .map(
      ({ reference, result }) =>
        `dispute ${reference} is ${result} at the network and ${statusByReference.get(reference)} here`,
    );
}
