import { type Clock, seconds } from '../../kernel/clock.ts';
import { createLimit } from '../../kernel/limit.ts';
import { MOUNT_SECONDS, type MountSession } from './session.ts';

/** Cards that one mounted form may have verified. */
export const SESSION_TRIES_MAX = 10;
/** Cards that all forms of one payment may have verified in a day: a form that is reloaded is mounted anew. */
export const PAYMENT_TRIES_MAX = 30;
const PAYMENT_WINDOW_SECONDS = 24 * 60 * 60;

/** Banks that one mounted form may have look at the browser: each card of another bank that is typed is one. */
const LOOKS_MAX = 10;

/** Whether a form may have a bank look at the browser once more. */
export type FingerprintTries = (session: MountSession) => boolean;

export function createFingerprintTries(clock: Clock): FingerprintTries {
  const sessions = createLimit({ clock, max: LOOKS_MAX, window: seconds(MOUNT_SECONDS) });
  return ({ nonce }) => sessions.take(nonce);
}

/** Counts the cards that are tried, per form and per payment, so that stolen ones are not tested here. */
export function createTries(clock: Clock): (session: MountSession) => boolean {
  const sessions = createLimit({ clock, max: SESSION_TRIES_MAX, window: seconds(MOUNT_SECONDS) });
  const payments = createLimit({
    clock,
    max: PAYMENT_TRIES_MAX,
    window: seconds(PAYMENT_WINDOW_SECONDS),
  });
  return ({ nonce, payment_id }) => sessions.take(nonce) && payments.take(payment_id);
}
