import { noContent, notAllowed, notFound, type StandInAnswer } from '../../stand-in/answer.ts';
import { isJsonObject, type JsonMembers, wholeNumberOf } from '../../stand-in/members.ts';
import { invalid, malformed } from '../answer.ts';
import { type CheckoutCall, type CheckoutServices, channelsOf } from '../call.ts';
import type { StoredPayment } from '../records.ts';
import { moveDispute } from './change-dispute.ts';
import type { DisputeFacts, StoredDispute } from './dispute-books.ts';
import { parseDisputeEvidence } from './evidence.ts';
import { renderDispute, renderDisputeSummary } from './render-dispute.ts';
import { canBecome, type DisputeStatus } from './states.ts';

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 250;

/** `GET /disputes`, newest first. */
export function listDisputes(services: CheckoutServices, call: CheckoutCall): StandInAnswer {
  const { query } = call;
  const limit = wholeNumberOf(query.get('limit') ?? PAGE_SIZE_DEFAULT) ?? 0;
  const skip = wholeNumberOf(query.get('skip') ?? 0);
  if (limit < 1 || limit > PAGE_SIZE_MAX || skip === undefined)
    return invalid(['paging_limit_invalid']);
  const filter = {
    channels: channelsOf(call),
    ...textFilter(query, 'id', 'id'),
    ...textFilter(query, 'payment', 'payment_id'),
    ...textFilter(query, 'reference', 'payment_reference'),
    ...(query.get('statuses') && { statuses: query.get('statuses')?.split(',') ?? [] }),
    ...timeFilter(query, 'from'),
    ...timeFilter(query, 'to'),
  };
  const { total, disputes } = services.books.disputes.list(filter, limit, skip);
  const data = disputes.map((dispute) =>
    renderDisputeSummary(dispute, paymentOf(services, dispute), call.base),
  );
  return { status: 200, body: { limit, skip, total_count: total, data } };
}

function textFilter<Name extends string>(query: URLSearchParams, name: Name, parameter: string) {
  const text = query.get(parameter);
  return (text ? { [name]: text } : {}) as Partial<Record<Name, string>>;
}

function timeFilter<Name extends string>(query: URLSearchParams, name: Name) {
  const time = Date.parse(query.get(name) ?? '');
  return (Number.isNaN(time) ? {} : { [name]: time }) as Partial<Record<Name, number>>;
}

/** `GET /disputes/{id}`. */
export const getDispute = (services: CheckoutServices, call: CheckoutCall): StandInAnswer =>
  withDispute(services, call, (dispute) => {
    const payment = paymentOf(services, dispute);
    const actions = services.books.actions.of(payment.id);
    const facts = {
      actionId: actions.find(({ type }) => type === 'Capture')?.id,
      hasRefund: actions.some(({ type, state }) => type === 'Refund' && state === 'approved'),
    };
    return { status: 200, body: renderDispute(dispute, payment, facts, call.base) };
  });

/** `POST /disputes/{id}/accept`: final. */
export const acceptDispute = (services: CheckoutServices, call: CheckoutCall): StandInAnswer =>
  withDispute(services, call, (dispute) => advance(services, dispute, 'accepted'));

/** `PUT /disputes/{id}/evidence`: keeps evidence until it is submitted. Later members replace earlier ones. */
export const putEvidence = (services: CheckoutServices, call: CheckoutCall): StandInAnswer =>
  withDispute(services, call, (dispute) => {
    const { books } = services;
    if (!isJsonObject(call.body)) return malformed;
    const key = evidenceKeyOf(dispute);
    if (!key) return notAllowed;
    const evidence = parseDisputeEvidence(
      call.body,
      (id) => books.files.find(id)?.channel === dispute.channel,
    );
    if ('length' in evidence) return invalid(evidence as readonly string[]);
    const facts = { ...dispute.facts, [key]: { ...dispute.facts[key], ...evidence } };
    books.disputes.update({ ...dispute, facts });
    return noContent;
  });

/** The round of a dispute that takes evidence now. */
function evidenceKeyOf({ status }: StoredDispute): EvidenceKey | undefined {
  if (status === 'evidence_required') return 'evidence';
  return status === 'arbitration_under_review' ? 'arbitrationEvidence' : undefined;
}

type EvidenceKey = 'evidence' | 'arbitrationEvidence';

/** `GET /disputes/{id}/evidence`; 404 without evidence. */
export const getEvidence = (services: CheckoutServices, call: CheckoutCall): StandInAnswer =>
  withDispute(services, call, ({ facts }) =>
    facts.evidence ? { status: 200, body: facts.evidence satisfies JsonMembers } : notFound,
  );

/** `POST /disputes/{id}/evidence`: submits the evidence finally. */
export const submitEvidence = (services: CheckoutServices, call: CheckoutCall): StandInAnswer =>
  withDispute(services, call, (dispute) =>
    submit(services, dispute, 'evidence', 'evidence_under_review'),
  );

/** `POST /disputes/{id}/evidence/arbitration`: submits the evidence of the second round. */
export const submitArbitrationEvidence = (
  services: CheckoutServices,
  call: CheckoutCall,
): StandInAnswer =>
  withDispute(services, call, (dispute) =>
    submit(services, dispute, 'arbitrationEvidence', 'arb_evidence_submitted'),
  );

function submit(
  services: CheckoutServices,
  dispute: StoredDispute,
  key: keyof DisputeFacts & EvidenceKey,
  status: DisputeStatus,
): StandInAnswer {
  if (!canBecome(dispute.status, status)) return notAllowed;
  return dispute.facts[key] ? advance(services, dispute, status) : invalid(['evidence_required']);
}

function advance(
  services: CheckoutServices,
  dispute: StoredDispute,
  status: DisputeStatus,
): StandInAnswer {
  if (!canBecome(dispute.status, status)) return notAllowed;
  moveDispute(services, dispute, status);
  return noContent;
}

/** Runs an operation on a dispute that the request may see; 404 for all others. */
function withDispute(
  { books }: CheckoutServices,
  call: CheckoutCall,
  run: (dispute: StoredDispute) => StandInAnswer,
): StandInAnswer {
  const dispute = books.disputes.find(call.parts[0] ?? '');
  return dispute && channelsOf(call).includes(dispute.channel) ? run(dispute) : notFound;
}

function paymentOf({ books }: CheckoutServices, { id, payment }: StoredDispute): StoredPayment {
  const found = books.payments.find(payment);
  if (!found) throw new Error(`Dispute ${id} has no payment.`);
  return found;
}
