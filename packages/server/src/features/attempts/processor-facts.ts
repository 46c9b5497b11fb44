import type { Row } from '../../platform/database/row.ts';
import type { CardChecks } from '../../processors/port/processor.ts';
import type { OutcomeChanges } from './decide-outcome.ts';
import { codesToStore } from './other-amount.ts';

/** Members of a result that are stored with its attempt. */
interface FactsOfResult extends Partial<CardChecks> {
  readonly result: string;
  readonly processor_reference?: string;
  readonly codes?: Readonly<Record<string, string>>;
  readonly advice?: string;
  /** Minor units of a partial approval. */
  readonly approvedAmount?: number;
}

/** Adds the processor's reference, checks, raw codes, advice and approved part of a result to the changes of its attempt. */
export function withProcessorFacts(
  before: Row,
  changes: OutcomeChanges | undefined,
  result: FactsOfResult,
): OutcomeChanges | undefined {
  if (!changes || changes.isUnaccepted) return changes;
  const { processor_reference, codes, advice, approvedAmount } = result;
  const facts: Row = {
    ...checksOf(result),
    ...(processor_reference !== undefined && { processor_reference }),
    ...(codes && { codes: JSON.stringify(codesToStore(before, codes)) }),
    ...(advice !== undefined && { advice }),
    ...(approvedAmount !== undefined && { approved_cents: String(approvedAmount) }),
  };
  const { attempt } = changes;
  return { ...changes, attempt: { ...attempt, set: { ...attempt.set, ...facts } } };
}

/** Columns of a payment or attempt with the results of the checks; none for a result without checks. */
export const checksOf = ({
  cvc2_check,
  address_line1_verification,
  postal_code_verification,
}: Partial<CardChecks>): Row =>
  cvc2_check === undefined
    ? {}
    : {
        cvc2_check,
        address_line1_verification: address_line1_verification ?? null,
        postal_code_verification: postal_code_verification ?? null,
      };

/** Whether the processor told the results of the issuer's checks. */
export const isChecked = ({ cvc2_check }: Row): boolean => cvc2_check != null;

/** Checks of an attempt. Without any, nobody checked anything. */
export const storedChecks = (attempt: Row): CardChecks =>
  isChecked(attempt)
    ? (checksOf(attempt as Partial<CardChecks>) as unknown as CardChecks)
    : {
        cvc2_check: 'unprocessed',
        address_line1_verification: 'unverified',
        postal_code_verification: 'unverified',
      };
