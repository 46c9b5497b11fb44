import { DURATION_MS_MAX, isDuration } from '../stand-in/durations.ts';
import { isJsonObject, textOf, wholeNumberOf } from '../stand-in/members.ts';

const DELIVERY_FAULTS = [
  'lost',
  'doubled',
  'late',
  'out_of_order',
  'before_answer',
  'wrong_signature',
  'unknown_type',
  'malformed',
] as const;

/**
 * Fault of a notification:
 *
 * - `lost`: never sent.
 * - `doubled`: sent twice.
 * - `late`: sent `delay_ms` later.
 * - `out_of_order`: sent after the next notification to the same address.
 * - `before_answer`: sent before the response of the request that caused it.
 * - `wrong_signature`, `unknown_type`, `malformed`: sent with other contents. Unknown and malformed ones have a valid
 *   signature.
 */
export type DeliveryFaultKind = (typeof DELIVERY_FAULTS)[number];

export interface DeliveryFault {
  readonly kind: DeliveryFaultKind;
  readonly delayMs: number;
  /** Notifications that the fault still applies to. */
  readonly times: number;
  /** Conditions; an absent one fits all notifications. */
  readonly event?: string | undefined;
  readonly subject?: string | undefined;
}

/** Faults that wait for a notification. Held in memory, without a restart. */
export interface DeliveryFaults {
  /** Adds a fault, or returns a text that says what is wrong with it. */
  add(body: unknown): string | undefined;
  clear(): void;
  /** The first fault that fits a notification, which counts as one of its times. */
  take(event: string, subject: string): DeliveryFault | undefined;
}

/** Maximum number of faults that wait. */
const WAITING_MAX = 1_000;
const TIMES_MAX = 1_000_000;

export function createDeliveryFaults(): DeliveryFaults {
  let waiting: DeliveryFault[] = [];
  return {
    add(body) {
      const fault = parseDeliveryFault(body);
      if (typeof fault === 'string') return fault;
      if (waiting.length >= WAITING_MAX) return `At most ${WAITING_MAX} faults can wait.`;
      waiting.push(fault);
      return undefined;
    },
    clear() {
      waiting = [];
    },
    take(event, subject) {
      const fault = waiting.find(
        (each) => (each.event ?? event) === event && (each.subject ?? subject) === subject,
      );
      if (!fault) return undefined;
      const rest = fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
      waiting = waiting.flatMap((each) => (each === fault ? rest : [each]));
      return fault;
    },
  };
}

function parseDeliveryFault(body: unknown): DeliveryFault | string {
  if (!isJsonObject(body)) return 'Send an object with kind.';
  const kind = DELIVERY_FAULTS.find((known) => known === body.kind);
  if (!kind) return `kind must be one of ${DELIVERY_FAULTS.join(', ')}.`;
  const { delay_ms = 0 } = body;
  if (!isDuration(delay_ms)) return `delay_ms must be milliseconds from 0 to ${DURATION_MS_MAX}.`;
  const times = wholeNumberOf(body.times ?? 1) ?? 0;
  if (times < 1 || times > TIMES_MAX) return `times must be from 1 to ${TIMES_MAX}.`;
  return {
    kind,
    delayMs: delay_ms,
    times,
    event: textOf(body.event),
    subject: textOf(body.subject),
  };
}
