import { type LateApprovals, lateApprovals } from '@florin/contract/late-approvals.ts';
import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import type { Fault } from '@florin/simulator/faults.ts';
import { createRandom, type Random } from './random.ts';
import type { ReceiverResponse } from './scenarios/receiver.ts';

/** A process kills itself when it passes a kill point, given by name or number, for the `passage`-th time. */
export interface Kill {
  /** Start of the count of kill points: the process's first statement, or when it begins to serve. */
  readonly phase: 'start' | 'run';
  readonly point: number | string;
  readonly passage: number;
}

/** A process pauses at a kill point, as on an overloaded computer. */
export interface PlannedPause extends Pick<Kill, 'point' | 'passage'> {
  /** Pause in milliseconds of the system clock. An attempt's lease lasts 1,500 of these. */
  readonly ms: number;
}

/**
 * Fault of the response to the `write`-th write: the response is lost, all connections break, or PostgreSQL
 * crashes.
 */
export interface DatabaseFault {
  readonly write: number;
  readonly kind: 'lose' | 'cut' | 'crash';
}

/** How a merchant answers a dispute: evidence that wins, evidence that loses, or no defence. */
export type DisputeAnswer = 'evidence' | 'losing' | 'accept';

/** Scenario of one payment. Amounts are minor units. */
export type Scenario =
  | { readonly kind: 'sale'; readonly amount: number; readonly card: string }
  | { readonly kind: 'refunds'; readonly amount: number; readonly parts: readonly number[] }
  | { readonly kind: 'capture'; readonly amount: number; readonly part: number }
  /** The part is captured twice, concurrently: one capture is refused, or follows the other. Then the rest. */
  | { readonly kind: 'captures'; readonly amount: number; readonly part: number }
  | { readonly kind: 'void'; readonly amount: number }
  | { readonly kind: 'capture_and_void'; readonly amount: number }
  | { readonly kind: 'dispute'; readonly amount: number; readonly answer: 'evidence' | 'accept' }
  /**
   * Parts of the payment are disputed concurrently; `answers` are the merchant's answers. Refunds follow during
   * the disputes, and a refund of the rest at the end.
   */
  | {
      readonly kind: 'disputes';
      readonly amount: number;
      readonly parts: readonly number[];
      readonly answers: readonly DisputeAnswer[];
      readonly refunds: readonly number[];
    }
  /** The customer pays once. Afterwards the merchant charges the card twice, concurrently. */
  | {
      readonly kind: 'saved_card';
      readonly amount: number;
      readonly laterAmounts: readonly number[];
    }
  /** The network approves, but its response arrives only after a minute. */
  | { readonly kind: 'late'; readonly amount: number; readonly hasHold: boolean }
  | {
      readonly kind: 'subscription';
      readonly amount: number;
      readonly card: string;
      /** Whether the create confirms the subscription. */
      readonly confirmed: boolean;
      /** Whether the subscription is cancelled while it is being confirmed. */
      readonly cancel: boolean;
    }
  /** A subscription of a customer whose clock advances by each number of days, across renewals. */
  | {
      readonly kind: 'renewals';
      readonly amount: number;
      readonly period: BillingPeriod;
      readonly days: readonly number[];
    };

/** All events of a run, as a pure function of its seed. */
export interface Plan {
  readonly seed: number;
  /** Speed of the clocks as a multiple of the system clock's; default `SPEED`. */
  readonly speed?: number;
  readonly scenarios: readonly Scenario[];
  /** Faults of messages by amount, in the order of the messages. */
  readonly messageFaults: ReadonlyMap<number, readonly (Fault | undefined)[]>;
  /** Faults of messages without an amount: inquiries, reversals and responses to disputes. */
  readonly inquiryFaults: readonly (Fault | undefined)[];
  readonly kills: Readonly<Record<'server' | 'vault' | 'simulator', readonly Kill[]>>;
  /** Pauses of the vault before its first restart. */
  readonly stalls: readonly PlannedPause[];
  /** The merchant's setting for late approvals. */
  readonly latePolicy: LateApprovals;
  readonly database: readonly DatabaseFault[];
  /** Responses of the merchant's server to its first webhook messages, in order. */
  readonly hookResponses: readonly ReceiverResponse[];
}

export const SCENARIO_COUNT = 10;
const AMOUNT_STEP = 10_000;
/** Last four digits of amounts that the simulator's payers dispute. */
const DISPUTED_CENTS = 9_708;
const PLAIN_CENTS = 2_500;

/**
 * Approximate number of kill points during start and service. Never a multiple of three, because the seed
 * modulo three chooses the process.
 */
const POINT_COUNTS = {
  server: { start: 61, run: 241 },
  vault: { run: 61 },
  simulator: { run: 49 },
} as const;
/**
 * Shares no factor with the numbers of kill points, so that successive seeds kill far apart and reach every
 * point.
 */
const STRIDE = 101;

export function planOf(seed: number): Plan {
  const random = createRandom(seed);
  const splits = createRandom(Math.imul(seed, SPLIT_FACTOR));
  const scenarios = Array.from({ length: SCENARIO_COUNT }, (_, at) =>
    splitCapture(scenarioOf(random, (at + 1) * AMOUNT_STEP), splits),
  );
  return {
    seed,
    scenarios,
    messageFaults: new Map(
      scenarios.flatMap(amountsOf).map((amount) => [amount, faultsOf(random)]),
    ),
    inquiryFaults: Array.from({ length: 40 }, () =>
      random.chance(0.2) ? randomFault(random) : undefined,
    ),
    kills: killsOf(random, seed),
    database: databaseFaultsOf(random),
    stalls: stallsOf(createRandom(~seed), seed),
    hookResponses: Array.from({ length: 60 }, () =>
      random.chance(0.15) ? 'refuse' : randomResponse(random),
    ),
    latePolicy: random.oneOf(lateApprovals),
  };
}

/** Kinds that a plan chooses from. */
const chosenKinds = [
  'sale',
  'refunds',
  'capture',
  'void',
  'capture_and_void',
  'dispute',
  'disputes',
  'saved_card',
  'late',
  'subscription',
  'renewals',
] as const satisfies readonly Scenario['kind'][];

export const scenarioKinds: readonly Scenario['kind'][] = [...chosenKinds, 'captures'];

/** A large odd number. Splits have random numbers of their own, so that the rest of a seed's plan stays as it was. */
const SPLIT_FACTOR = 0x27d4eb2f;

/** Makes a half of the captures several captures. */
function splitCapture(scenario: Scenario, random: Random): Scenario {
  if (scenario.kind !== 'capture' || random.chance(0.5)) return scenario;
  const { amount } = scenario;
  return { kind: 'captures', amount, part: Math.floor(amount / 3) };
}

const cards = ['visa', 'visa', 'insufficient_funds'] as const;
/** Billing periods, each with the days by which the clock advances. */
const renewals = [
  { period: 'one_day', days: [2, 1] },
  { period: 'seven_days', days: [8, 15] },
  { period: 'one_month', days: [33, 65] },
] as const;

function scenarioOf(random: Random, baseAmount: number): Scenario {
  const kind = random.oneOf(chosenKinds);
  const amount = baseAmount + PLAIN_CENTS;
  switch (kind) {
    case 'sale':
      return { kind, amount, card: random.oneOf(cards) };
    case 'refunds': {
      // The parts together may exceed the paid amount.
      const part = Math.floor(amount / random.oneOf([2, 3]));
      return { kind, amount, parts: [part, part - 1, part - 2] };
    }
    case 'capture':
      return { kind, amount, part: random.chance(0.5) ? amount : amount - 1_200 };
    case 'dispute':
      return {
        kind,
        amount: baseAmount + DISPUTED_CENTS,
        answer: random.oneOf(['evidence', 'accept']),
      };
    case 'disputes':
      return { kind, amount, ...disputesIn(random, amount) };
    case 'saved_card':
      return { kind, amount, laterAmounts: [amount + 1, amount + 2] };
    case 'late':
      return { kind, amount, hasHold: random.chance(0.3) };
    case 'subscription': {
      const confirmed = random.chance(0.3);
      const cancel = !confirmed && random.chance(0.3);
      return { kind, amount, card: random.oneOf(cards), confirmed, cancel };
    }
    case 'renewals':
      return { kind, amount, ...random.oneOf(renewals) };
    default:
      return { kind, amount };
  }
}

const disputeAnswers = ['evidence', 'losing', 'accept'] as const satisfies readonly DisputeAnswer[];

/** Disputes of one part, of several parts, or of the total, with refunds that may exceed the rest. */
function disputesIn(random: Random, amount: number) {
  const [half, third] = [Math.floor(amount / 2), Math.floor(amount / 3)];
  const parts = random.oneOf([
    [third],
    [third, third + 1],
    [half, amount - half],
    [third, third, amount - 2 * third],
  ]);
  const answers = parts.map(() => random.oneOf(disputeAnswers));
  return { parts, answers, refunds: [third - 7, third - 8] };
}

const amountsOf = (scenario: Scenario): number[] => [
  scenario.amount,
  ...('parts' in scenario ? scenario.parts : []),
  ...('refunds' in scenario ? scenario.refunds : []),
  ...('part' in scenario ? [scenario.part] : []),
  ...('laterAmounts' in scenario ? scenario.laterAmounts : []),
];

const networkFaults = [
  'lose_answer',
  'reset',
  'garbage',
  'duplicate',
  'delay:60',
  'delay:900',
] as const;
const randomFault = (random: Random): Fault => random.oneOf(networkFaults);

/** Faults of the first three messages of an amount. Later messages arrive. */
const faultsOf = (random: Random): (Fault | undefined)[] =>
  Array.from({ length: 3 }, () => (random.chance(0.4) ? randomFault(random) : undefined));

/** Every run kills the server once, and then the server, the vault or the network. */
function killsOf(random: Random, seed: number): Plan['kills'] {
  const firstKill = killAt(random, 'run', pointNumberOf(seed, POINT_COUNTS.server.run));
  const secondKill = random.chance(0.4)
    ? killAt(random, 'start', pointNumberOf(seed, POINT_COUNTS.server.start))
    : killAt(random, 'run', 1 + random.upTo(POINT_COUNTS.server.run / 2));
  const vaultKill = killAt(random, 'run', pointNumberOf(seed, POINT_COUNTS.vault.run));
  const networkKill = killAt(random, 'run', pointNumberOf(seed, POINT_COUNTS.simulator.run));
  return {
    server: seed % 3 === 0 ? [firstKill, secondKill] : [firstKill],
    vault: seed % 3 === 1 ? [vaultKill] : [],
    simulator: seed % 3 === 2 ? [networkKill] : [],
  };
}

const pointNumberOf = (seed: number, pointCount: number): number =>
  1 + ((seed * STRIDE) % pointCount);

/** Kill points around the vault's sending. Seeds use the other points in between. */
const SENDING_POINTS = [
  'before sending POST /networks/:id/v:id/authorisations',
  'after sending POST /networks/:id/v:id/authorisations',
  'after with taken as ( delete from vault.cvvs cvv using unnest($1::text[], $2',
] as const;
const STALL_COUNT = 2;

/** Pauses shorter and longer than a lease and the work after its end. */
const stallsOf = (random: Random, seed: number): PlannedPause[] =>
  Array.from({ length: STALL_COUNT }, (_, at) => ({
    point:
      at === 0
        ? (SENDING_POINTS[seed % SENDING_POINTS.length] as string)
        : pointNumberOf(seed + 1, POINT_COUNTS.vault.run),
    passage: 1 + random.upTo(PASSAGES_MAX),
    ms: random.oneOf([300, 1_000, 2_500]),
  }));

const PASSAGES_MAX = 3;

const killAt = (random: Random, phase: Kill['phase'], point: number): Kill => ({
  phase,
  point,
  passage: 1 + (phase === 'run' ? random.upTo(PASSAGES_MAX) : 0),
});

function databaseFaultsOf(random: Random): DatabaseFault[] {
  const faults: DatabaseFault[] = ['lose', 'lose', 'cut', 'crash'].map((kind) => ({
    write: 20 + random.upTo(250),
    kind: kind as DatabaseFault['kind'],
  }));
  return faults.filter(({ kind }) => kind !== 'crash' || random.chance(0.4));
}

const randomResponse = (random: Random): ReceiverResponse =>
  random.chance(0.05) ? 'hang_up' : 'take';
