import type { StandInAnswer } from '../../stand-in/answer.ts';
import { membersOf, textOf } from '../../stand-in/members.ts';
import type { AdyenCall, AdyenServices } from '../call.ts';
import { isSatisfied, renderDefenceReasons } from './defence-reasons.ts';
import type { AdyenDispute } from './dispute-books.ts';
import type { AdyenDisputeStatus, DisputeEventCode } from './dispute-stages.ts';
import { parseDefenceDocument } from './parse-document.ts';

/** Serves one operation about a dispute. Called inside a commit. */
type DisputeOperation = (
  services: AdyenServices,
  call: AdyenCall,
  dispute: AdyenDispute,
) => StandInAnswer;

const PATH = /^\/ca\/services\/DisputeService\/v30\/(\w+)$/;
const operations: Readonly<Record<string, DisputeOperation>> = {
  retrieveApplicableDefenseReasons,
  supplyDefenseDocument,
  deleteDisputeDefenseDocument,
  defendDispute,
  acceptDispute,
};
const OPEN: readonly AdyenDisputeStatus[] = ['Undefended', 'Unresponded'];

const done = (members: object = {}): StandInAnswer => ({
  status: 200,
  body: { ...members, disputeServiceResult: { success: true } },
});
/** Refusals have status 200 too. */
const refused = (errorMessage: string): StandInAnswer => ({
  status: 200,
  body: { disputeServiceResult: { success: false, errorMessage } },
});

/** The operation of a `POST` path below the service for disputes; undefined for other paths. */
export function disputeOperationOf(path: string) {
  const run = operations[PATH.exec(path)?.[1] ?? ''];
  if (!run) return undefined;
  return {
    accountMember: 'merchantAccountCode',
    paymentPsp: '',
    run(services: AdyenServices, call: AdyenCall): StandInAnswer {
      const psp = textOf(call.body.disputePspReference) ?? '';
      const dispute = services.books.disputes.find(psp);
      return dispute?.account === call.account.name
        ? run(services, call, dispute)
        : refused('No dispute was found for this reference');
    },
  } as const;
}

function retrieveApplicableDefenseReasons(
  { books }: AdyenServices,
  _: AdyenCall,
  { psp }: AdyenDispute,
): StandInAnswer {
  return done({ defenseReasons: renderDefenceReasons(books.defences.documentsOf(psp).types) });
}

/** All documents are taken, or none. */
function supplyDefenseDocument(
  { books }: AdyenServices,
  { body }: AdyenCall,
  { psp }: AdyenDispute,
): StandInAnswer {
  const list = Array.isArray(body.defenseDocuments) ? body.defenseDocuments : [];
  if (list.length === 0) return refused('No defense documents');
  const documents = list.map((each) => parseDefenceDocument(membersOf(each)));
  const fault = documents.find((document) => typeof document === 'string');
  if (fault !== undefined) return refused(fault);
  for (const document of documents)
    if (typeof document === 'object')
      books.defences.putDocument(psp, document.type, document.isLosing);
  return done();
}

function deleteDisputeDefenseDocument(
  { books }: AdyenServices,
  { body }: AdyenCall,
  { psp }: AdyenDispute,
): StandInAnswer {
  const isDeleted = books.defences.deleteDocument(psp, String(body.defenseDocumentType));
  return isDeleted ? done() : refused('No such defense document');
}

/**
 * Defends a dispute. A chargeback is given back, then stays won or becomes a second chargeback; a request for
 * information is answered.
 */
function defendDispute(
  services: AdyenServices,
  { body }: AdyenCall,
  dispute: AdyenDispute,
): StandInAnswer {
  const { books } = services;
  const { types, isLosing } = books.defences.documentsOf(dispute.psp);
  if (!OPEN.includes(dispute.status)) return refused('The dispute cannot be defended');
  if (!isSatisfied(String(body.defenseReasonCode), types))
    return refused('Required defense documents are missing');
  books.disputes.setStatus(dispute.psp, 'Responded');
  if (dispute.status === 'Unresponded') {
    planNext(services, dispute, ['INFORMATION_SUPPLIED', 'Responded']);
    return done();
  }
  planNext(
    services,
    dispute,
    ['CHARGEBACK_REVERSED', 'Pending'],
    isLosing ? ['SECOND_CHARGEBACK', 'Lost'] : ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'Won'],
  );
  return done();
}

function acceptDispute(
  services: AdyenServices,
  _: AdyenCall,
  dispute: AdyenDispute,
): StandInAnswer {
  if (!OPEN.includes(dispute.status)) return refused('The dispute cannot be accepted');
  services.books.disputes.setStatus(dispute.psp, 'Accepted');
  planNext(services, dispute, ['DISPUTE_DEFENSE_PERIOD_ENDED', 'Accepted']);
  return done();
}

/** Plans the next stages of a dispute, each one delay of the account after the one before. */
function planNext(
  { books, now }: AdyenServices,
  { psp, account }: AdyenDispute,
  ...stages: readonly (readonly [DisputeEventCode, AdyenDisputeStatus])[]
): void {
  const { outcome_delay_ms = 0 } = books.accounts.find(account)?.settings ?? {};
  stages.forEach(([eventCode, status], index) => {
    const dueAt = now() + (index + 1) * outcome_delay_ms;
    books.defences.plan({ dispute: psp, eventCode, status, dueAt });
  });
}
