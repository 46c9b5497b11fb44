import type { SandboxAmountOf } from '@florin/contract/sandbox-amounts.ts';

/**
 * Simulated faults of a message.
 *
 * - `lose_answer`: stores the message, then disconnects without a response.
 * - `reset`: disconnects before the message is stored; for captures and refunds only the first time.
 * - `garbage`: stores the message and sends an unreadable response.
 * - `delay`: the message arrives late.
 * - `duplicate`: the message arrives twice. The second response follows with the next message on the connection.
 * - `duplicate_at_once`: as `duplicate`, but the second response is the last data on the connection.
 * - `refuse`: responds each time that the message is malformed, and stores nothing.
 */
export type Fault =
  | 'lose_answer'
  | 'reset'
  | 'garbage'
  | 'duplicate'
  | 'duplicate_at_once'
  | 'refuse'
  | `delay:${number}`;

/** A message to the network. `amount` is absent for inquiries, reversals and dispute responses. */
export interface Message {
  readonly reference: string;
  readonly amount?: number;
}

export type FaultOf = (message: Message) => Fault | undefined;

/** Amounts, in minor units, whose last four digits select a fault. */
export const faultAmounts = {
  9701: 'lose_answer',
  9702: 'reset',
  9703: 'garbage',
  9704: 'delay:3000',
  9706: 'refuse',
} as const satisfies Readonly<Record<SandboxAmountOf<'message'>, Fault>>;

/** Last four digits of a declined refund and of a declined capture. */
const DECLINED_REFUND: SandboxAmountOf<'refund'> = 9705;
const DECLINED_CAPTURE: SandboxAmountOf<'capture'> = 9707;
/** Last four digits of an amount whose authorisation the payer disputes. */
const DISPUTED: SandboxAmountOf<'dispute'> = 9708;

const LAST_FOUR_DIGITS = 10_000;

export const isDeclinedRefund = (amount: number): boolean =>
  amount % LAST_FOUR_DIGITS === DECLINED_REFUND;

/** Whether an amount selects a dispute right after the capture. */
export const isDisputed = (amount: number): boolean => amount % LAST_FOUR_DIGITS === DISPUTED;

export const isDeclinedCapture = (amount: number): boolean =>
  amount % LAST_FOUR_DIGITS === DECLINED_CAPTURE;

/** Default: the amount selects the fault, and a repeated message gets the same fault. */
export const faultOfAmount: FaultOf = ({ amount = 0 }) =>
  (faultAmounts as Readonly<Record<number, Fault>>)[amount % LAST_FOUR_DIGITS];

/** Delay of a fault, in milliseconds. */
export const delayOf = (fault: Fault | undefined): number =>
  fault?.startsWith('delay:') ? Number(fault.slice('delay:'.length)) : 0;
