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

/**
 * Reference of a payment whose id a person read at the processor, as later messages need it. Undefined for no id of the
 * processor.
 */
export function storedReference(
  services: Pick<Services, 'accounts' | 'processorNamed' | 'logger'>,
  attempt: Row,
  id: string,
  is_captured: boolean,
): string | undefined {
  const metadata = processorOfRow(services, attempt)?.metadata;
  return metadata?.referenceOfId ? metadata.referenceOfId(id, { is_captured }) : id;
}
