/**
 * What goes wrong on the way of an authorisation, a capture or a refund. `lose_answer` books it and hangs up; `reset` hangs
 * up before it is booked, on a capture or a refund once; `garbage` books it and answers what nobody can read; `delay` lets it
 * arrive late; `refuse` answers each time that the message is not well-formed, and books nothing.
 */
export type Fault = 'lose_answer' | 'reset' | 'garbage' | 'refuse' | `delay:${number}`;
export type FaultOf = (request: { readonly amount: number }) => Fault | undefined;

/** Amounts, in minor units, whose last four digits ask for a fault. */
export const faultAmounts = {
  9701: 'lose_answer',
  9702: 'reset',
  9703: 'garbage',
  9704: 'delay:3000',
  9706: 'refuse',
} as const satisfies Readonly<Record<number, Fault>>;

/** Last four digits of the amount of a refund, and of a capture, that the issuer does not take. */
const DECLINED_REFUND = 9705;
const DECLINED_CAPTURE = 9707;
/** Of an authorisation that its payer disputes. */
const DISPUTED = 9708;

const LAST_FOUR_DIGITS = 10_000;

export const isDeclinedRefund = (amount: number): boolean =>
  amount % LAST_FOUR_DIGITS === DECLINED_REFUND;

/** Whether an amount asks for a dispute as soon as it is captured. */
export const isDisputed = (amount: number): boolean => amount % LAST_FOUR_DIGITS === DISPUTED;

export const isDeclinedCapture = (amount: number): boolean =>
  amount % LAST_FOUR_DIGITS === DECLINED_CAPTURE;

/** The default: faults by amount, the same at every repeat. */
export const faultOfAmount: FaultOf = ({ amount }) =>
  (faultAmounts as Readonly<Record<number, Fault>>)[amount % LAST_FOUR_DIGITS];

/** Milliseconds that a fault holds a request back. */
export const delayOf = (fault: Fault | undefined): number =>
  fault?.startsWith('delay:') ? Number(fault.slice('delay:'.length)) : 0;
