import type { Row } from '../../platform/database/row.ts';
import type { Processor } from '../../processors/port/processor.ts';
import type { Services } from '../../services.ts';

/**
 * The processor of an attempt or dispute. If it is not registered, logs an error and returns
 * undefined. The row then stays open: it neither fails nor goes to another processor.
 */
export function processorOfRow(
  { accounts, processorNamed, logger }: Pick<Services, 'accounts' | 'processorNamed' | 'logger'>,
  { id, processor: name, processor_account_id }: Row,
): Processor | undefined {
  const processor = processor_account_id
    ? accounts.find(processor_account_id)?.processor
    : processorNamed(name as string);
  if (!processor) {
    logger.error(
      { id, processor: name, processor_account: processor_account_id },
      'processor not registered: register it again; its records stay open until then',
    );
  }
  return processor;
}

/** A reference that later messages need, or the form that the id of a payment must have. */
export type ReadReference = { readonly reference?: string } | { readonly form: string };

/**
 * Reference of a payment whose id a person read at the processor, as later messages need it. Without an id, the reference
 * that the processor told counts. Has the expected form for no id of the processor, and for a missing one that it needs.
 */
export function storedReference(
  services: Pick<Services, 'accounts' | 'processorNamed' | 'logger'>,
  attempt: Row,
  id: string | undefined,
  is_captured: boolean,
): ReadReference {
  const known = attempt.processor_reference;
  const ids = processorOfRow(services, attempt)?.metadata.payment_ids;
  const given = id ?? known ?? undefined;
  if (!ids || (known && given === known)) return given === undefined ? {} : { reference: given };
  const reference = given === undefined ? undefined : ids.referenceOf(given, { is_captured });
  return reference === undefined ? { form: ids.form } : { reference };
}

/**
 * Whether an id that a person gave is that of the payment which the processor told. A stored reference may have its kind
 * before the id, such as `sale:84568456`.
 */
export const isSameReference = (stored: string | null | undefined, given: string): boolean =>
  !stored || stored === given || stored.endsWith(`:${given}`);
