import { disputeMachine } from '@florin/contract/machines/dispute.ts';
import { instantText, seconds } from '../../kernel/clock.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import { claimDue } from '../../store/claim.ts';
import type { Row } from '../../store/row.ts';
import { keyOf } from '../../store/transition.ts';
import type { Services } from '../services.ts';
import { changeDispute } from './change.ts';
import { evidenceOf, lapsed } from './decide.ts';

const RESPOND_BATCH_MAX = 50;
/** A response that was not acknowledged is sent again after this long. */
const LEASE_SECONDS = 30;

/** Sends what merchants have said to the processor, until it acknowledges, and ends the time for evidence. */
export async function respondDue(services: Services): Promise<boolean> {
  const now = services.clock.now();
  const rows = await claimDue(services.db, {
    table: 'disputes',
    now: instantText(now),
    lease_until: instantText(now + seconds(LEASE_SECONDS)),
    limit: RESPOND_BATCH_MAX,
  });
  await Promise.all(rows.map((row) => respondOne(services, row)));
  return rows.length > 0;
}

async function respondOne(services: Services, dispute: Row): Promise<void> {
  try {
    if (dispute.status === disputeMachine.initial) await lapse(services, dispute);
    else if (await isAcknowledged(services, dispute)) await rest(services, dispute);
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error({ dispute: dispute.id, err }, 'responding to a dispute failed');
  }
}

const lapse = (services: Services, dispute: Row): Promise<void> =>
  services.db.transaction((tx) => {
    const now = services.clock.now();
    const decide = ({ status }: Row) =>
      status === disputeMachine.initial ? lapsed(now) : undefined;
    return changeDispute(services, tx, keyOf(dispute), decide, now);
  });

async function isAcknowledged(services: Services, dispute: Row): Promise<boolean> {
  const processor = services.processorOf(dispute.mode as 'live' | 'sandbox');
  if (!processor) return false;
  const { respond } = processor.disputes;
  const reference = dispute.reference as string;
  const request = respond.mapRequest({
    reference,
    ...(dispute.status === 'under_review' && { evidence: evidenceOf(dispute) }),
  });
  return respond.mapAnswer(await sendPlain(request), reference).result === 'acknowledged';
}

/** What came of it is told with the news. */
const rest = (services: Services, dispute: Row): Promise<void> =>
  services.db.transaction((tx) => {
    const nothing = () => ({ set: { due_at: null }, events: [] });
    return changeDispute(services, tx, keyOf(dispute), nothing, services.clock.now());
  });
