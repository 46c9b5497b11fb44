/**
 * What goes wrong on the way of a message. `lose_answer` books it and hangs up; `reset` hangs up before it is booked, on a
 * capture or a refund once; `garbage` books it and answers what nobody can read; `delay` lets it arrive late; `duplicate`
 * lets it arrive twice, and so does its answer, the second time as that of the next message on the connection or, `_at_once`, as
 * the last thing on it; `refuse` answers each time that the message is not well-formed, and books nothing.
 */
export type Fault =
  | 'lose_answer'
  | 'reset'
  | 'garbage'
  | 'duplicate'
  | 'duplicate_at_once'
  | 'refuse'
  | `delay:${number}`;

/** A message on its way. Inquiries, reversals and what is said of disputes have no amount. */
export interface Message {
  readonly reference: string;
  readonly amount?: number;
}

export type FaultOf = (message: Message) => Fault | undefined;

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
export const faultOfAmount: FaultOf = ({ amount = 0 }) =>
  (faultAmounts as Readonly<Record<number, Fault>>)[amount % LAST_FOUR_DIGITS];

/** Milliseconds that a fault holds a request back. */
export const delayOf = (fault: Fault | undefined): number =>
  fault?.startsWith('delay:') ? Number(fault.slice('delay:'.length)) : 0;
