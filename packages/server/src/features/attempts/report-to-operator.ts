import type { Row } from '../../platform/database/row.ts';
import type { Logger } from '../../platform/logger.ts';
import type { NextInquiry } from './decide-outcome.ts';

/** Logs that Florin stops looking for an outcome, so that an operator does. */
export function reportToOperator(
  logger: Pick<Logger, 'error'>,
  { id, operation, processor, unknown_since }: Row,
  next: NextInquiry | undefined,
): void {
  if (next !== 'operator') return;
  logger.error(
    { attempt: id, operation, processor, unknown_since },
    'attempt needs an operator: look it up at the processor by its id, then close it under unknown outcomes',
  );
}
