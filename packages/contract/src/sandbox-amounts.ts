/** Part of the simulated network whose behaviour an amount selects. */
export type SandboxAmountArea =
  | 'message'
  | 'refund'
  | 'capture'
  | 'dispute'
  | 'settlement'
  | 'authentication';

/** Behaviour that the last four digits of an amount select in the sandbox, as the documentation lists it. */
export interface SandboxAmount {
  readonly area: SandboxAmountArea;
  /** Markdown. */
  readonly effect: string;
}

const message = (effect: string) => ({ area: 'message', effect }) as const;
const settlement = (effect: string) => ({ area: 'settlement', effect }) as const;
const authentication = (effect: string) => ({ area: 'authentication', effect }) as const;

/** By the last four digits of the amount, in minor units. */
export const sandboxAmounts = {
  9701: message(
    'The network approves and loses its response: the outcome is unknown, then `succeeded`.',
  ),
  9702: message(
    'The connection breaks before the message arrives: unknown, then `processor_unreachable`.',
  ),
  9703: message('The network approves with an unreadable response: unknown, then `succeeded`.'),
  9704: message('The network takes 3 seconds, then approves.'),
  9705: { area: 'refund', effect: 'The refund fails with `refund_declined`.' },
  9706: message('The network cannot read the message. A refund fails some seconds later.'),
  9707: { area: 'capture', effect: 'The capture is declined.' },
  9708: { area: 'dispute', effect: 'The payer disputes the payment right after the capture.' },
  9709: settlement('The settlement file has one minor unit less.'),
  9710: settlement('The settlement file lacks the payment.'),
  9711: settlement('The settlement file has the payment twice.'),
  9712: settlement('The settlement file has another currency.'),
  9801: authentication("The bank's check of the browser takes 11 seconds."),
  9802: authentication("The bank's check of the browser never ends."),
  9803: authentication("The bank's check of the browser is broken and does not happen."),
  9811: authentication('The bank authenticates without a challenge.'),
  9812: authentication('The bank refuses.'),
  9813: authentication('The bank asks for a code: 123456 is right, three wrong codes are refused.'),
  9814: authentication('The card is not enrolled.'),
  9815: authentication('The bank rejects the authentication.'),
  9816: authentication('The bank cannot authenticate.'),
  9817: authentication('The bank attempts the authentication.'),
  9818: authentication('The bank responds for information only.'),
  9821: authentication('A challenge in an app succeeds after 5 seconds.'),
  9822: authentication('A challenge hangs until the bank ends it.'),
  9823: authentication('A challenge never appears.'),
  9824: authentication('A challenge refuses to be shown in a frame.'),
  9825: authentication('A challenge ends with a protocol error.'),
  9826: authentication('The result of a challenge comes after the browser has returned.'),
  9827: authentication('The result of a challenge comes twice, then a contradicting one.'),
  9828: authentication("A challenge tries to take over the shop's page."),
} as const satisfies Readonly<Record<number, SandboxAmount>>;

/** The amounts of an area. A table of behaviours that has this type lacks none. */
export type SandboxAmountOf<Area extends SandboxAmountArea> = {
  [Amount in keyof typeof sandboxAmounts]: (typeof sandboxAmounts)[Amount]['area'] extends Area
    ? Amount
    : never;
}[keyof typeof sandboxAmounts];
