import type { Money, NotSentResult, UnknownResult, WireAnswer, WireRequest } from './message.ts';

/** A change of an approved authorisation's money at its processor. */
export interface AuthorisationChange {
  readonly kind: 'capture' | 'refund' | 'release';
  /** Minor units of the authorisation's currency; absent for a release. */
  readonly amount?: number;
  /** Our id of the capture or refund; absent if somebody else made it, as in the processor's dashboard. */
  readonly demand_id?: string;
  /** Whether a capture ended its hold; absent if the processor does not tell. */
  readonly final?: boolean;
  /** Whether the processor has yet to decide. */
  readonly is_pending: boolean;
}

export type ChangesResult =
  | { readonly result: 'changes'; readonly changes: readonly AuthorisationChange[] }
  | NotSentResult
  | UnknownResult;

/** Lists the captures, refunds and releases of an authorisation, the oldest first. */
export interface ChangesOperation {
  /** `processor_reference`: the processor's reference of the authorisation. */
  mapRequest(input: {
    readonly attempt_id: string;
    readonly processor_reference?: string;
  }): WireRequest;
  /** Never throws. `currency` is the authorisation's. */
  mapAnswer(answer: WireAnswer, currency: Money['currency']): ChangesResult;
}
