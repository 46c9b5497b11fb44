/** Seconds for which the simulated network reports a late approval as undecided. */
export const SIMULATED_APPROVAL_DELAY_SECONDS = 65;
/** Days after an approval in which a dispute can be simulated. */
const DISPUTE_DAYS_MAX = 365;
const DAY_SECONDS = 24 * 60 * 60;

/** Scheduled effect of a simulated approval: a late notification (`told`) or a dispute. */
export type ScheduledEffect = 'told' | 'disputed';

/** Scheduled effect of an approval with this simulation, and its delay in seconds. */
export function scheduledEffectOf(simulate = ''): readonly [ScheduledEffect, number] | undefined {
  if (simulate === 'late_approval') return ['told', SIMULATED_APPROVAL_DELAY_SECONDS];
  const days = /^dispute_after:(\d{1,3})$/.exec(simulate)?.[1];
  const isDispute = days !== undefined && Number(days) <= DISPUTE_DAYS_MAX;
  return isDispute ? ['disputed', Number(days) * DAY_SECONDS] : undefined;
}

const SLOW_MS = 3_000;
const SLOW_MS_MAX = 60_000;

/** Milliseconds by which `slow` or `slow:<ms>` delays a message; undefined for other simulations. */
export function delayOfSimulation(simulate = ''): number | undefined {
  if (simulate === 'slow') return SLOW_MS;
  const ms = /^slow:(\d{1,5})$/.exec(simulate)?.[1];
  return ms !== undefined && Number(ms) <= SLOW_MS_MAX ? Number(ms) : undefined;
}

/** Maximum number of parts of an approval that one simulation can dispute. */
const PARTS_MAX = 5;

/** Parts of an approval that the payer disputes right after the capture, each in minor units. */
export function disputedPartsOf(simulate = ''): readonly number[] {
  const amountTexts =
    /^disputes:([1-9]\d{0,11}(?:,[1-9]\d{0,11})*)$/.exec(simulate)?.[1]?.split(',') ?? [];
  return amountTexts.length <= PARTS_MAX ? amountTexts.map(Number) : [];
}

/** Effect of a value of `metadata.simulate` in the sandbox, as the documentation lists it. */
export interface Simulation {
  /** Markdown. */
  readonly network: string;
  /** Markdown. */
  readonly payment: string;
}

/** Values of `metadata.simulate`, without their arguments. */
export const simulations = {
  slow: { network: 'takes 3 seconds', payment: 'succeeds' },
  'slow:<ms>': {
    network: 'takes so many milliseconds, at most 60,000',
    payment: 'succeeds; unknown before that, if the network takes too long',
  },
  lost_answer: { network: 'approves and loses its response', payment: 'unknown, then succeeds' },
  garbage: { network: 'approves with an unreadable response', payment: 'unknown, then succeeds' },
  late_approval: {
    network: 'approves, loses its response, and reports the approval after 65 seconds',
    payment: 'unknown, then succeeds, or fails by `late_approvals` of the merchant',
  },
  duplicate_answer: {
    network: 'gets the message twice and responds twice',
    payment: 'succeeds once',
  },
  connection_reset: {
    network: 'never gets the message',
    payment: 'unknown, then fails as `processor_unreachable`',
  },
  partial_approval: {
    network: 'approves half of the amount, which is reversed',
    payment: 'fails as `insufficient_funds`',
  },
  'dispute_after:<days>': {
    network: 'reports a dispute 0 to 365 days after the capture',
    payment: 'succeeds, later `disputed`',
  },
  'disputes:<cents>,<cents>': {
    network: 'reports up to five disputes of these parts right after the capture',
    payment: 'succeeds, then `disputed`',
  },
  settlement_mismatch: {
    network: 'has one minor unit less in its settlement file',
    payment: 'succeeds, later a settlement exception',
  },
} as const satisfies Readonly<Record<string, Simulation>>;

export type SimulationName = keyof typeof simulations;
