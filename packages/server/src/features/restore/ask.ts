import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { type Micros, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { authorisationId } from '../attempts/attempt-id.ts';
import type { AttemptResult } from '../payments/decide-outcome.ts';
import { factsOf } from '../payments/message.ts';
import { inquireThoroughly } from '../payments/resolve.ts';
import { type Candidate, candidateOf, routePayment } from '../processor-accounts/route-payment.ts';

/** Numbers of attempts that a processor is asked about, after those that the database knows. */
const NUMBERS_MAX = 4;

/** A payment that another process may have sent after the restored time. */
export interface Question extends Scope {
  readonly payment_id: string;
  /** Number of authorisations that the database knows. */
  readonly known: number;
  readonly candidates: Candidates;
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

/** Asks the accounts for messages that follow from the payment. A charge outweighs what is unclear, that a decline. */
export async function ask(services: Services, question: Question, since: Micros): Promise<Reply> {
  const { routed, others } = question.candidates;
  const leads: Lead[] = [];
  for (const candidate of [...routed, ...others]) {
    const told = await leadsOf(services, question, candidate, since);
    const isDoubt = ({ result }: Lead) => isUnclear(result) && others.includes(candidate);
    leads.push(...told.filter((lead) => !isDoubt(lead)));
    const charge = told.find(({ result }) => isCharge(result));
    if (charge) return { found: 'message', lead: charge };
  }
  const doubt = leads.find(({ result }) => isUnclear(result));
  if (doubt) return { found: 'unclear', lead: doubt };
  const decline = leads.findLast(({ result }) => result.result === 'declined');
  return decline ? { found: 'message', lead: decline } : { found: 'nothing' };
}

/** Answers of an account about the next messages of a payment, until one is charged or unclear. */
async function leadsOf(
  services: Services,
  question: Question,
  candidate: Candidate,
  since: Micros,
): Promise<Lead[]> {
  const leads: Lead[] = [];
  for (let number = 1; number <= NUMBERS_MAX; number++) {
    const id = authorisationId(question.payment_id, question.known + number);
    const result = await resultOf(services, question, candidate, id, since);
    leads.push({ id, candidate, result });
    if (isCharge(result) || isUnclear(result)) break;
  }
  return leads;
}

const isCharge = ({ result }: AttemptResult): boolean =>
  result === 'approved' || result === 'partly_approved';

const isUnclear = (result: AttemptResult): boolean =>
  result.result === 'unresolved' || (result.result === 'not_found' && result.arrives_in_ms > 0);

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
      return { ...answer, result: 'unresolved', why: 'the processor has not decided yet' };
    default:
      return { result: 'unresolved', why: `the inquiry returned ${answer.result}` };
  }
}

/** Time in which a message that left before `since` may still arrive. Not positive: it never will. */
const arrivesInMs = (
  { system_clock }: Services,
  { metadata }: Candidate['processor'],
  since: Micros,
): number => (since + seconds(metadata.arrival_ms_max / 1_000) - system_clock.now()) / 1_000;
