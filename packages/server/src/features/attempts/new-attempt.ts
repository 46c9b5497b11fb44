import { attemptMachine } from '@florin/contract/machines/attempt.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';

/** Purpose of an attempt: its id, operation and processor, and the ids of its demands. */
export interface Purpose {
  readonly id: string;
  readonly processor: string;
  /** Account at the processor; null: the simulated network. */
  readonly processor_account_id?: string | null;
  /** Route of an authorisation, as JSON. */
  readonly route?: string;
  /** Reference of the authorisation at the processor, for a capture or refund. */
  readonly authorisation_reference?: string | null;
  /** Reference of the capture at the processor, for a refund. */
  readonly capture_reference?: string | null;
  readonly operation: 'authorise' | 'refund' | 'capture';
  readonly payment_demand_id: string;
  readonly refund_demand_id?: string;
  readonly capture_demand_id?: string;
  /** Whether a capture ends its hold. */
  readonly capture_final?: string | null;
  /** Whether the message tells the processor if the hold ends. Captures of an earlier release are repeated without it. */
  readonly tells_final?: string | null;
  readonly authorisation_id?: string;
}

/** Simulated fault in the metadata of a demand. Only the sandbox's adapter uses it. */
export function simulateOf({ metadata }: Row): string | undefined {
  if (!metadata) return undefined;
  return (JSON.parse(metadata) as Readonly<Record<string, string>>).simulate;
}

/** Row of an attempt for the amount of its demand. Stored before its message is sent. */
export function createAttemptRow(
  services: Services,
  purpose: Purpose,
  demand: Row,
  now: Micros,
): Row {
  const { config, system_clock } = services;
  const { merchant_id, mode, amount_cents, amount_currency } = demand;
  const at = instantText(now);
  const lease = config.attempt_lease_ms * 1000;
  return {
    merchant_id: merchant_id as string,
    mode: mode as string,
    ...purpose,
    status: attemptMachine.initial,
    amount_cents: amount_cents as string,
    amount_currency: amount_currency as string,
    simulate: simulateOf(demand) ?? null,
    later_at: simulatedEventAt(services, purpose, demand, now),
    inquiries: '0',
    due_at: instantText(now + lease),
    // Uses the system clock, as the vault does. A message leaves only during the lease of its
    // attempt.
    not_after: purpose.operation === 'authorise' ? instantText(system_clock.now() + lease) : null,
    created_at: at,
    updated_at: at,
  };
}

/** Time of an authorisation's simulated event, such as a dispute. Null without one. */
function simulatedEventAt(
  { processorNamed }: Services,
  { operation, processor }: Purpose,
  demand: Row,
  now: Micros,
): string | null {
  const { simulation } = processorNamed(processor) ?? {};
  const delaySeconds =
    operation === 'authorise' && simulation?.effectDelaySeconds(simulateOf(demand));
  return delaySeconds ? instantText(now + seconds(delaySeconds)) : null;
}
