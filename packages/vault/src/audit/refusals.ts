import { type MessageRefusal, messageRefusals } from '@florin/contract/protocol/vault-health.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/logger.ts';
import type { Audit } from './audit.ts';

const MINUTE_MS = 60_000;

/** Messages that the vault refused, as those of a server that was taken over. */
export interface Refusals {
  /** Counts and logs a message, which has an audit entry already. */
  countMessage(why: MessageRefusal, detail: string): void;
  /** Counts a call that has no message. Raises an alarm once a minute for each reason: log and audit. */
  countCall(why: MessageRefusal, detail: string): void;
  /** Refusals since the start, by reason. */
  counts(): Readonly<Record<MessageRefusal, number>>;
}

export function createRefusals({
  clock,
  log,
  audit,
}: {
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: Pick<Audit, 'enqueue'>;
}): Refusals {
  // Each reason begins at 0: Prometheus sees no increase in a series that begins with its first count.
  const counts = Object.fromEntries(messageRefusals.map((why) => [why, 0])) as Record<
    MessageRefusal,
    number
  >;
  const alarmedMinutes = new Map<MessageRefusal, number>();

  function countMessage(why: MessageRefusal, detail: string): void {
    counts[why] += 1;
    log({ event: 'message_refused', why, detail });
  }

  return {
    countMessage,
    countCall(why, detail) {
      const minute = Math.floor(clock() / MINUTE_MS);
      if (alarmedMinutes.get(why) === minute) {
        counts[why] += 1;
        return;
      }
      alarmedMinutes.set(why, minute);
      countMessage(why, detail);
      audit.enqueue({ actor: 'server', verb: 'call', outcome: `refused: ${why}` });
    },
    counts: () => counts,
  };
}
