import {
  type DisputeEnd as BankDecision,
  disputeEnds,
} from '@florin/contract/protocol/processor-command.ts';
import { createRandom, type Random } from '../../../../../faults/random.ts';
import { DISPUTED_CENTS } from '../make.ts';

/** One payment of a run, with what the merchant does afterwards. Amounts are minor units. */
export type ProcessorScenario =
  | { readonly kind: 'sale'; readonly amount: number; readonly card: string }
  | { readonly kind: 'refunds'; readonly amount: number; readonly parts: readonly number[] }
  | { readonly kind: 'capture'; readonly amount: number; readonly part: number }
  | { readonly kind: 'captures'; readonly amount: number; readonly parts: readonly number[] }
  | { readonly kind: 'void'; readonly amount: number }
  | { readonly kind: 'dispute'; readonly amount: number; readonly end: DisputeEnd };

/** Decision of the issuer. `open`: none during the run. `second_chargeback`: won, then lost. */
export type DisputeEnd = 'open' | BankDecision;

/** A fault of the stand-in, as its control surface takes it. */
export type StandInFault = Readonly<Record<string, string | number>>;

/** Faults that a stand-in can play. */
export interface FaultChoices {
  /** Conditions of requests that a fault may hit. */
  readonly targets: readonly StandInFault[];
  /** Empty without notifications. */
  readonly notificationFaults: readonly StandInFault[];
  /** Whether the stand-in opens disputes; absent: it does. */
  readonly has_disputes?: boolean;
  /** Whether the processor takes merchants' network tokens; absent: it does. */
  readonly has_network_tokens?: boolean;
}

/** All events of a run, as a pure function of its seed. */
export interface ProcessorPlan {
  readonly scenarios: readonly ProcessorScenario[];
  readonly requestFaults: readonly StandInFault[];
  readonly notificationFaults: readonly StandInFault[];
  /** Whether lost notifications arrive before an operator acts, or after. */
  readonly redelivery: 'before_operator' | 'after_operator';
  readonly stop: ServerStop;
  /** Whether the merchant tries payments again that failed because the processor did not tell. */
  readonly retries: boolean;
}

/**
 * Stop of the server while messages are in flight. `crash`: at the `passage`-th time that it passes a point, or else at
 * the end of the merchant's actions.
 */
export type ServerStop =
  | { readonly kind: 'none' }
  | { readonly kind: 'restart'; readonly after_ms: number }
  | { readonly kind: 'crash'; readonly point: string; readonly passage: number };

/** A large odd number, by which neighbouring seeds become distant ones. */
const SEED_FACTOR = 0x9e3779b1;
const SCENARIO_COUNT = 6;
const AMOUNT = 5_000;
const RESTART_MS_MAX = 1_500;
const cards = ['visa', 'visa', 'insufficient_funds', 'generic_decline'] as const;
const networkTokens = ['network_token_test_visa', 'network_token_test_mastercard'] as const;
const requestFaults: readonly StandInFault[] = [
  { kind: 'lose_answer' },
  { kind: 'cut_answer' },
  { kind: 'garbage' },
  { kind: 'reset' },
  { kind: 'fail_after', status: 502 },
  { kind: 'refuse', status: 503 },
  { kind: 'refuse', status: 429 },
  { kind: 'late_answer', delay_ms: 200 },
];

export function processorPlanOf(seed: number, choices: FaultChoices): ProcessorPlan {
  // Neighbouring seeds would begin with similar numbers.
  const random = createRandom(Math.imul(seed, SEED_FACTOR));
  const some = (faults: readonly StandInFault[], count: number): StandInFault[] =>
    Array.from({ length: count }, () => random.oneOf(faults));
  return {
    scenarios: Array.from({ length: SCENARIO_COUNT }, () => scenarioOf(random, choices)),
    requestFaults: some(requestFaults, 2 + random.upTo(8)).map((fault) => ({
      ...fault,
      ...random.oneOf(choices.targets),
    })),
    notificationFaults: some(
      choices.notificationFaults,
      choices.notificationFaults.length > 0 ? random.upTo(10) : 0,
    ),
    redelivery: random.oneOf(['before_operator', 'after_operator'] as const),
    stop: stopOf(random),
    retries: random.chance(0.5),
  };
}

/** Points of `faults/kill-points.ts`: after attempts are stored, around their messages, and around notifications. */
const crashPoints = [
  'before sending POST /relay',
  'after sending POST /relay',
  'at the answer to POST /relay',
  'at the request POST /notifications/:id',
  'after answering POST /notifications/:id',
] as const;
const PASSAGE_MAX = 8;

function stopOf(random: Random): ServerStop {
  const kind = random.oneOf(['none', 'restart', 'crash'] as const);
  if (kind === 'none') return { kind };
  if (kind === 'restart') return { kind, after_ms: random.upTo(RESTART_MS_MAX) };
  return { kind, point: random.oneOf(crashPoints), passage: 1 + random.upTo(PASSAGE_MAX) };
}

function scenarioOf(
  random: Random,
  { has_disputes = true, has_network_tokens = true }: FaultChoices,
): ProcessorScenario {
  const chosen = random.oneOf([
    'sale',
    'refunds',
    'capture',
    'captures',
    'void',
    'dispute',
  ] as const);
  const kind = chosen === 'dispute' && !has_disputes ? 'sale' : chosen;
  const amount = AMOUNT + random.upTo(1_000);
  const payable = has_network_tokens ? [...cards, ...networkTokens] : cards;
  switch (kind) {
    case 'sale':
      return { kind, amount, card: random.oneOf(payable) };
    case 'refunds':
      // The parts together exceed the payment.
      return { kind, amount, parts: [2_000, 2_001, 2_002] };
    case 'capture':
      return { kind, amount, part: amount - random.upTo(2_000) };
    case 'captures':
      // Refused parts of an account that takes one capture, or above the rest, are left out.
      return { kind, amount, parts: [2_000, 1_000 + random.upTo(2_500), 500] };
    case 'dispute':
      return { kind, amount: DISPUTED_CENTS, end: random.oneOf(['open', ...disputeEnds] as const) };
    default:
      return { kind, amount };
  }
}
