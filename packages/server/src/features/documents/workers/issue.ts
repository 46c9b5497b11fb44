import { isPassingError } from '../../../platform/concurrency/batcher.ts';
import { narrowSlice } from '../../../platform/database/slices/narrow-slice.ts';
import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { countTransfersBetween } from '../../ledger/sql/balances.ts';
import { issueDocuments } from '../issue.ts';
import { type ApartServices, issueApart, subjectsOf } from '../issue-apart.ts';
import {
  claimFailures,
  findTransfersToDocument,
  moveDocumentHorizon,
  readDocumentHorizon,
  removeFailure,
  storeFailures,
} from '../sql.ts';

/** Maximum number of transfers that one transaction issues documents for. */
const TRANSFERS_MAX = 2_000;
/** Maximum number of failed transfers that one step tries again. */
const RETRIES_MAX = 100;

type IssueServices = ApartServices & Pick<Services, 'clock'>;

/**
 * Loop that issues invoices of subscription charges, and credit notes of refunds. The loop follows the ledger's transfers, so
 * payments write nothing for it.
 */
export const startDocumentsLoop = (services: Services): AsyncDisposable =>
  startLoop(services, {
    name: 'documents',
    poll_ms: services.config.work_poll_ms,
    async step() {
      const hasMore = await issueNextSlice(services);
      return (await retryFailures(services)) || hasMore;
    },
  });

/** Issues the documents of one slice of transfers. Returns whether transfers remain. */
export async function issueNextSlice(
  services: IssueServices,
  transfers_max = TRANSFERS_MAX,
): Promise<boolean> {
  const { db } = services;
  const { from, to } = await readDocumentHorizon(db);
  if (from >= to) return false;
  const isSmall = async (end: bigint): Promise<boolean> =>
    (await countTransfersBetween(db, from, end, transfers_max + 1)) <= transfers_max;
  const end = await narrowSlice(from, to, isSmall);
  await issueBetween(services, from, end);
  return end < to;
}

/** Issues the documents between two stamps. Where one cannot be issued, the others are, and its subject is stored. */
async function issueBetween(services: IssueServices, from: bigint, end: bigint): Promise<void> {
  const { db } = services;
  try {
    await db.transaction(async (tx) => {
      if (!(await moveDocumentHorizon(tx, from, end))) return;
      await issueDocuments(services, tx, subjectsOf(await findTransfersToDocument(tx, from, end)));
    });
  } catch (error) {
    if (isPassingError(error)) throw error;
    const failures = await issueApart(services, await findTransfersToDocument(db, from, end));
    // Another process that moved the horizon meanwhile has stored the failures itself.
    await db.transaction(async (tx) => {
      if (await moveDocumentHorizon(tx, from, end))
        await storeFailures(tx, instantText(services.clock.now()), failures);
    });
  }
}

/** Tries again to issue documents that failed. Returns whether more may be due. */
export async function retryFailures(services: IssueServices): Promise<boolean> {
  const { db, clock } = services;
  const transfers = await claimFailures(db, instantText(clock.now()), RETRIES_MAX);
  for (const transfer of transfers) {
    const failures = await issueApart(services, [transfer]);
    if (failures.length === 0) await removeFailure(db, transfer);
  }
  return transfers.length === RETRIES_MAX;
}
