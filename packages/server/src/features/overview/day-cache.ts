import { createLru } from '@florin/contract/lru.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Services } from '../../services.ts';
import type { PaymentSum, RefundSum } from './sql.ts';

/** Cache time of the sums of today, yesterday and the sandbox, so that repeated requests run one query. */
const RECENT_MS = 15_000;
/** Cache time of the sums of earlier days, which late captures and refunds change. */
const EARLIER_MS = 300_000;
/** Cached days, of all merchants. */
const CACHE_MAX = 20_000;

export interface DaySums {
  readonly payments: readonly PaymentSum[];
  readonly refunds: readonly RefundSum[];
}

interface CachedDay {
  readonly sums: Promise<DaySums>;
  /** Milliseconds of the monotonic clock. */
  readonly until: number;
}

interface MerchantDays {
  readonly scope: Scope;
  readonly timezone: string;
  /** First day whose sums change often. */
  readonly recentFrom: string;
}

/** Sums of days in memory, for all merchants. Failed reads are not kept. */
export function createDayCache({ monotonic_ms }: Pick<Services['config'], 'monotonic_ms'>) {
  const cached = createLru<CachedDay>(CACHE_MAX);
  return {
    /** The days of one merchant and time zone, as they are at this moment. */
    open({ scope, timezone, recentFrom }: MerchantDays) {
      const now = monotonic_ms();
      const keyOf = (day: string): string =>
        JSON.stringify([scope.merchant_id, scope.mode, timezone, day]);
      return {
        find(day: string): Promise<DaySums> | undefined {
          const entry = cached.get(keyOf(day));
          return entry && entry.until > now ? entry.sums : undefined;
        },
        /** Keeps a day's part of the sums that are being read. */
        store(day: string, read: Promise<DaySums>): Promise<DaySums> {
          // A sandbox reset removes payments of all days.
          const isKept = scope.mode === 'live' && day < recentFrom;
          const until = now + (isKept ? EARLIER_MS : RECENT_MS);
          const sums = read.then((all) => sumsOn(all, day));
          cached.set(keyOf(day), { sums, until });
          sums.catch(() => cached.delete(keyOf(day)));
          return sums;
        },
      };
    },
  };
}

const sumsOn = ({ payments, refunds }: DaySums, wantedDay: string): DaySums => ({
  payments: payments.filter(({ day }) => day === wantedDay),
  refunds: refunds.filter(({ day }) => day === wantedDay),
});
