import type { Row } from '../../platform/database/row.ts';
import type { OutcomeChanges } from './decide-outcome.ts';

/** Members of a result that are stored with its attempt. */
interface FactsOfResult {
  readonly result: string;
  readonly processor_reference?: string;
  readonly codes?: Readonly<Record<string, string>>;
  readonly advice?: string;
}

/** Adds the processor's reference, raw codes and advice of a result to the changes of its attempt. */
export function withProcessorFacts(
  changes: OutcomeChanges | undefined,
  { processor_reference, codes, advice }: FactsOfResult,
): OutcomeChanges | undefined {
  if (!changes || changes.isUnaccepted) return changes;
  const facts: Row = {
    ...(processor_reference !== undefined && { processor_reference }),
    ...(codes && { codes: JSON.stringify(codes) }),
    ...(advice !== undefined && { advice }),
  };
  const { attempt } = changes;
  return { ...changes, attempt: { ...attempt, set: { ...attempt.set, ...facts } } };
}
