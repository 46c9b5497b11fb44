import type { Signer } from '../../platform/crypto/signer.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { networkOf } from '../../platform/rates/network-of.ts';
import { countTries } from '../../platform/rates/shared-tries.ts';
import { type Clock, instantText, microsOf, seconds } from '../../platform/time/clock.ts';
import { TooManyTriesError } from '../checkout/tries.ts';
import { maxOf, type TryLimit } from '../checkout/try-limits.ts';

const HOUR = seconds(60 * 60);
const SANDBOX_TIMES = 100;

/** Limits of begun payments. Each begun payment stores a customer and an intent. */
const startLimits = {
  /** Per address or IPv6 network, over all links. */
  address: { max: 30, window: HOUR, sandbox_times: SANDBOX_TIMES },
  /** Per link. */
  link: { max: 2_000, window: HOUR, sandbox_times: SANDBOX_TIMES },
} as const satisfies Record<string, TryLimit>;

interface StartsOptions {
  readonly db: Db;
  readonly clock: Clock;
  /** Hashes the counted addresses, so that stored counts identify no person. */
  readonly signer: Signer;
}

/** Counts a begun payment. Throws `TooManyTriesError` beyond a limit. */
export type CountStart = (link: Row, ip: string) => Promise<void>;

/** Creates a counter that all processes share. */
export const createStarts =
  ({ db, clock, signer }: StartsOptions): CountStart =>
  async (link, ip) => {
    const mode = link.mode as Scope['mode'];
    const now = clock.now();
    const counters: readonly (readonly [TryLimit, string])[] = [
      [startLimits.address, signer.sign(`start address\n${mode}\n${networkOf(ip)}`)],
      [startLimits.link, signer.sign(`start link\n${link.id}`)],
    ];
    const counts = counters.map(([{ window }, subject]) => ({
      subject,
      tries: 1,
      expires_at: instantText(now + window),
    }));
    const triesBySubject = await countTries(db, counts, instantText(now));
    const exceededUntil = counters.flatMap(([limit, subject]) => {
      const so_far = triesBySubject.get(subject);
      return so_far && so_far.tries > maxOf(limit, mode) ? [microsOf(so_far.expires_at)] : [];
    });
    if (exceededUntil.length === 0) return;
    throw new TooManyTriesError(
      Math.max(1, Math.ceil((Math.max(...exceededUntil) - now) / seconds(1))),
    );
  };
