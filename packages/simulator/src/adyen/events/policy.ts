import type { AttemptPolicy } from '../../notifications/attempt-delivery.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAYS_OF_RETRIES = 30;
/** Quick attempts in seconds; then a delivery holds back the others of its address. */
const QUICK_WAITS_S: readonly number[] = [9, 18, 27];
const LAST_WAIT_HOURS = 8;

/** Failed attempts after which a notification holds back later ones of its address. */
export const ADYEN_HOLDS_BACK_AFTER = QUICK_WAITS_S.length + 1;

/** Waits, time limit and accepted responses of Adyen's notifications. */
export const ADYEN_WEBHOOK_POLICY: AttemptPolicy = {
  retryWaitsMs: [
    ...QUICK_WAITS_S.map((seconds) => seconds * 1_000),
    ...[2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
    ...[1, 2, 4].map((hours) => hours * HOUR_MS),
    ...Array.from(
      { length: (DAYS_OF_RETRIES * 24) / LAST_WAIT_HOURS },
      () => LAST_WAIT_HOURS * HOUR_MS,
    ),
  ],
  timeoutMs: 10_000,
  isAccepted: ({ status }) => status >= 200 && status < 300,
};
