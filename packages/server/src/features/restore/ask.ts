import type { Row } from '../../platform/database/row.ts';
import { type Scope, scopeOf } from '../../platform/database/scope.ts';
import { type Micros, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { AUTHORISATIONS_MAX, authorisationId } from '../attempts/attempt-id.ts';
import type { AttemptResult } from '../payments/decide-outcome.ts';
import { factsOf } from '../payments/message.ts';
import { inquireThoroughly } from '../payments/resolve.ts';
import { type Candidate, candidateOf, routePayment } from '../processor-accounts/route-payment.ts';

/**
 * Numbers after the last known message that are asked about. Florin sends for 15 minutes while accounts cannot be reached,
 * to two accounts, and each such message uses a number up.
 */
export const NUMBERS_AFTER_KNOWN = 80;
/** The same for payments that only a payer sends: nothing is sent again without the payer. */
export const NUMBERS_OF_PAYER = 16;
/** Failed inquiries in a row after which an account is not asked about further numbers of the payment. */
const FAILURES_MAX = 2;
/** Numbers of a payment that are asked about at once, so that a held payment is asked about within the lease of its attempt. */
const NUMBERS_AT_ONCE = 4;

/** A payment that another process may have sent after the restored time. */
export interface Question extends Scope {
  readonly payment_id: string;
  /** Number of authorisations that the database knows. */
  readonly known: number;
  readonly candidates: Candidates;
  /** Numbers to ask about after the last message that an account knows. Default: `NUMBERS_AFTER_KNOWN`. */
  readonly numbers?: number;
  /** Called before each round of inquiries, of which one lasts as long as its slowest answer. */
  readonly beforeRound?: () => Promise<void>;
}

/** Accounts to ask about a payment. */
export interface Candidates {
  /** Accounts of the payment's route. Where one cannot tell, the payment is unclear. */
  readonly routed: readonly Candidate[];
  /** Other accounts that answer inquiries: the rules may have changed after the restored time. */
  readonly others: readonly Candidate[];
}

/** A message that a processor knows, or may know. */
export interface Lead {
  readonly id: string;
  readonly candidate: Candidate;
  readonly result: AttemptResult;
}

/** Answer about a payment: no account knows a message, or a message was found, or nobody can tell. */
export type Reply =
  | { readonly found: 'nothing' }
  | { readonly found: 'message'; readonly lead: Lead }
  | { readonly found: 'unclear'; readonly lead: Lead };

/** Accounts that may have taken a payment. */
export function candidatesOf(services: Services, demand: Row, method: Row): Candidates {
  const facts = factsOf(demand, method);
  const routed = routePayment(services, facts).candidates.flatMap(
    (id) => candidateOf(services, facts, id) ?? [],
  );
  const isRouted = ({ account }: Candidate) =>
    routed.some((one) => one.account?.id === account?.id);
  const others = askableCandidates(services, facts).filter((one) => !isRouted(one));
  return { routed, others };
}

/** Accounts that may have taken a payment with a known message. The message's own account is never an other one. */
export function candidatesWith(
  services: Services,
  { payment, method }: { readonly payment: Row; readonly method: Row | undefined },
  own: Candidate,
): Candidates {
  const { routed, others } = method
    ? candidatesOf(services, payment, method)
    : { routed: [], others: askableCandidates(services, scopeOf(payment)) };
  const isOwn = ({ account }: Candidate) => account?.id === own.account?.id;
  return {
    routed: [own, ...routed.filter((one) => !isOwn(one))],
    others: others.filter((one) => !isOwn(one)),
  };
}

/** Accounts of a merchant and mode, and the simulated network, that answer inquiries. */
export function askableCandidates(
  { accounts, processorOf }: Services,
  { merchant_id, mode }: Scope,
): readonly Candidate[] {
  const network = processorOf(mode);
  const all = accounts
    .all()
    .filter((account) => account.mode === mode && account.status !== 'removed')
    .filter((account) => account.merchant_id === null || account.merchant_id === merchant_id)
    .map((account): Candidate => ({ processor: account.processor, account }));
  return [...(network ? [{ processor: network }] : []), ...all].filter(
    ({ processor }) => processor.inquire !== undefined,
  );
}

/**
 * Asks the accounts for messages that follow from the payment. A message leaves only once those before it charge nothing, so
 * the last known message outweighs doubts about earlier ones. A charge ends the search.
 */
export async function ask(services: Services, question: Question, since: Micros): Promise<Reply> {
  const { known, numbers = NUMBERS_AFTER_KNOWN } = question;
  const answersTo = createAsker(services, question, since);
  let last: Lead | undefined;
  let doubts: Lead[] = [];
  for (let number = known + 1, end = known + numbers; number <= end; number++) {
    if (number > AUTHORISATIONS_MAX) return beyondLimit(question, last);
    const { leads, counted } = await answersTo(number);
    const charge = leads.find(isCharge);
    if (charge) return { found: 'message', lead: charge };
    const message = leads.find(isKnown);
    if (message) {
      last = message;
      doubts = [];
      end = number + numbers;
    } else doubts.push(...counted.filter(isUnclear));
  }
  return replyOf(last, doubts);
}

function replyOf(last: Lead | undefined, doubts: readonly Lead[]): Reply {
  if (last && isUnclear(last)) return { found: 'unclear', lead: last };
  const doubt = doubts.find(isForOperator) ?? doubts[0];
  if (doubt) return { found: 'unclear', lead: doubt };
  if (!last) return { found: 'nothing' };
  return { found: 'message', lead: { ...last, result: { ...last.result, asked_all: true } } };
}

/** Answers about a number. Doubts count only at accounts of the route. */
interface NumberAnswers {
  readonly leads: readonly Lead[];
  readonly counted: readonly Lead[];
}

/**
 * Asks all accounts about a number, and about the next ones meanwhile. An account that gives no answer several times in a
 * row is not asked again.
 */
function createAsker(
  services: Services,
  { candidates: { routed, others }, beforeRound, ...question }: Question,
  since: Micros,
): (number: number) => Promise<NumberAnswers> {
  const all = [...routed, ...others];
  const failures = new Map<Candidate, number>();
  const askOne = async (candidate: Candidate, id: string): Promise<Lead> => {
    const isSilent = (failures.get(candidate) ?? 0) >= FAILURES_MAX;
    const result = isSilent
      ? GAVE_NO_ANSWER
      : await resultOf(services, question, candidate, id, since);
    return { id, candidate, result };
  };
  const askAll = async (number: number): Promise<NumberAnswers> => {
    const id = authorisationId(question.payment_id, number);
    const leads = await Promise.all(all.map((one) => askOne(one, id)));
    return { leads, counted: leads.slice(0, routed.length) };
  };
  /** Counts after the round, so that an account that hangs costs one round. */
  const countFailures = (leads: readonly Lead[]): void => {
    for (const lead of leads) {
      const failed = failures.get(lead.candidate) ?? 0;
      failures.set(lead.candidate, isUnanswered(lead) ? failed + 1 : 0);
    }
  };
  let asked: readonly NumberAnswers[] = [];
  let first = 0;
  return async (number) => {
    if (number >= first + asked.length) {
      await beforeRound?.();
      first = number;
      const numbers = Array.from({ length: NUMBERS_AT_ONCE }, (_, at) => number + at);
      asked = await Promise.all(numbers.map(askAll));
      for (const { leads } of asked) countFailures(leads);
    }
    return asked[number - first] as NumberAnswers;
  };
}

const NOT_DECIDED = 'the processor has not decided yet';

const GAVE_NO_ANSWER: AttemptResult = {
  result: 'unresolved',
  why: 'the processor gave no answer several times',
};

/** A payment with more numbers than Florin asks about belongs to an operator. */
function beyondLimit({ payment_id, candidates }: Question, last: Lead | undefined): Reply {
  const candidate = last?.candidate ?? candidates.routed[0] ?? candidates.others[0];
  if (!candidate) return { found: 'nothing' };
  const id = last?.id ?? authorisationId(payment_id, AUTHORISATIONS_MAX + 1);
  const why = `the payment has more than ${AUTHORISATIONS_MAX} attempts`;
  return {
    found: 'unclear',
    lead: { id, candidate, result: { result: 'unresolved', why, next: 'operator' } },
  };
}

const isCharge = ({ result: { result } }: Lead): boolean =>
  result === 'approved' || result === 'partly_approved';

/** Whether the processor knows the message. */
const isKnown = ({ result }: Lead): boolean =>
  result.result === 'declined' || (result.result === 'unresolved' && result.why === NOT_DECIDED);

const isUnclear = ({ result }: Lead): boolean =>
  result.result === 'unresolved' || (result.result === 'not_found' && result.arrives_in_ms > 0);

/** Whether the inquiry failed. */
const isUnanswered = (lead: Lead): boolean =>
  lead.result.result === 'unresolved' && !isKnown(lead) && !isForOperator(lead);

const isForOperator = ({ result }: Lead): boolean =>
  result.result === 'unresolved' && result.next === 'operator';

async function resultOf(
  services: Services,
  { merchant_id, mode }: Scope,
  { processor, account }: Candidate,
  id: string,
  since: Micros,
): Promise<AttemptResult> {
  if (!processor.inquire)
    return { result: 'unresolved', why: 'the processor answers no inquiries', next: 'operator' };
  const about: Row = { merchant_id, mode, id, processor_account_id: account?.id ?? null };
  const answer = await inquireThoroughly(services, processor, about);
  switch (answer.result) {
    case 'approved':
    case 'partly_approved':
    case 'declined':
      return answer;
    case 'not_found':
      return { result: 'not_found', arrives_in_ms: arrivesInMs(services, processor, since) };
    case 'pending':
      return { ...answer, result: 'unresolved', why: NOT_DECIDED };
    default:
      return { result: 'unresolved', why: `the inquiry returned ${answer.result}` };
  }
}

/** Time in which a message that left before `since` may still arrive. Not positive: it never will. */
export const arrivesInMs = (
  { system_clock }: Services,
  { metadata }: Candidate['processor'],
  since: Micros,
): number => (since + seconds(metadata.arrival_ms_max / 1_000) - system_clock.now()) / 1_000;
