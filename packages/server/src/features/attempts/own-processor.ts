import type { Row } from '../../platform/database/row.ts';
import type { Processor } from '../../processors/processor.ts';
import type { Services } from '../../services.ts';

/**
 * The processor of an attempt or dispute. Undefined, with an error in the log, if it is not
 * registered: the row stays open, and is neither failed nor sent elsewhere.
 */
export function ownProcessor(
  { processorNamed, logger }: Pick<Services, 'processorNamed' | 'logger'>,
  { id, processor: name }: Row,
): Processor | undefined {
  const processor = processorNamed(name as string);
  if (!processor) {
    logger.error(
      { id, processor: name },
      'no processor of this name is registered: register it again, the record stays open until then',
    );
  }
  return processor;
}
