import { isPassingError } from '../../platform/concurrency/batcher.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, type RowKey } from '../../platform/database/row-key.ts';
import type { Services } from '../../services.ts';
import { issueDocuments, type Subjects } from './issue.ts';

export type ApartServices = Pick<Services, 'db' | 'catalog' | 'timelines' | 'logger'>;

/** A transfer whose document could not be issued. */
export type Failure = Row & { readonly reason: string };

const REASON_LENGTH_MAX = 500;

/** Payments and refunds of captured and refunded transfers. */
export function subjectsOf(transfers: readonly Row[]): Subjects {
  const keysOf = (of: string): RowKey[] => transfers.filter(({ kind }) => kind === of).map(keyOf);
  return { payments: keysOf('captured'), refunds: keysOf('refunded') };
}

/**
 * Issues the documents of transfers, and returns those that have none because of their own rows. Halves the transfers
 * until a bad one stands alone, so that it blocks no other. Throws temporary errors.
 */
export async function issueApart(
  services: ApartServices,
  transfers: readonly Row[],
): Promise<Failure[]> {
  const [transfer] = transfers;
  if (!transfer) return [];
  try {
    await services.db.transaction((tx) => issueDocuments(services, tx, subjectsOf(transfers)));
    return [];
  } catch (error) {
    if (isPassingError(error)) throw error;
    if (transfers.length === 1) return [failureOf(services, transfer, error as Error)];
  }
  const middle = Math.ceil(transfers.length / 2);
  return [
    ...(await issueApart(services, transfers.slice(0, middle))),
    ...(await issueApart(services, transfers.slice(middle))),
  ];
}

function failureOf({ logger }: ApartServices, transfer: Row, { message }: Error): Failure {
  const { merchant_id, kind, id } = transfer;
  logger.error({ merchant: merchant_id, kind, id, err: { message } }, 'document not issued');
  return { ...transfer, reason: message.slice(0, REASON_LENGTH_MAX) };
}
