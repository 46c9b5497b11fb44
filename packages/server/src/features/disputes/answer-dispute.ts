import type { Mode } from '@florin/contract/protocol/vault.ts';
import { evidenceFields } from '@florin/contract/resources/disputes.ts';
import { openContent } from '../../platform/crypto/content-sealer.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { type Micros, microsOf } from '../../platform/time/clock.ts';
import type {
  AnswerStep,
  DisputeAnswer,
  DisputeAnswers,
  EvidenceFile,
  StepResult,
  StepState,
} from '../../processors/port/disputes.ts';
import { sendMessage } from '../../processors/wire/send-message.ts';
import type { Services } from '../../services.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import {
  answerProgressOf,
  decideAnswered,
  decideBegun,
  decideProgress,
  decideRefused,
  hasLease,
  nextLease,
} from './answer-steps.ts';
import { type ChangeOfDispute, changeDispute } from './change.ts';
import { findContent, findFilesOf } from './files/sql.ts';
import { findRemovedAccount, queuedAtRemoved } from './removed-account.ts';

/** More than an answer with all files has. */
const STEPS_MAX = 30;

const NO_ANSWERS =
  'The account at the processor does not take answers any more. Ask the operator, or answer in the processor’s dashboard.';

/** A claimed dispute, with its answer and the ability of its processor. */
interface Answering {
  readonly dispute: Row;
  readonly answers: DisputeAnswers;
  readonly answer: DisputeAnswer;
}

/**
 * Sends a merchant's answer through the account of the dispute: each message is stored before it is sent. Stops at an
 * unknown outcome, and continues after the lease.
 */
export async function answerDispute(services: Services, dispute: Row): Promise<void> {
  const answers = processorOfRow(services, dispute)?.answers;
  let lease = microsOf(dispute.due_at as string);
  const removed = await findRemovedAccount(services.db, dispute);
  if (removed !== undefined)
    return void (await storeRefusal(services, dispute, lease, queuedAtRemoved(removed)));
  if (!answers) return void (await storeRefusal(services, dispute, lease, NO_ANSWERS));
  const answering = { dispute, answers, answer: await readAnswer(services, dispute) };
  for (let count = 0; count < STEPS_MAX; count += 1) {
    const begun = await beginStep(services, answering, lease);
    if (!begun) return;
    lease = begun.lease;
    const result = await sendStep(services, dispute, begun.step);
    if (!(await storeResult(services, dispute, { ...begun, result }))) return;
  }
}

/** Texts and files of a dispute, as its adapter needs them. */
export async function readEvidence(
  db: Services['db'] | Parameters<typeof findFilesOf>[0],
  dispute: Row,
): Promise<NonNullable<DisputeAnswer['evidence']>> {
  const texts = evidenceFields.flatMap((name) => (dispute[name] ? [[name, dispute[name]]] : []));
  const files = await findFilesOf(db, dispute);
  return {
    texts: Object.fromEntries(texts),
    files: files.map((file) => file as unknown as EvidenceFile),
  };
}

async function readAnswer({ db }: Services, dispute: Row): Promise<DisputeAnswer> {
  const reference = dispute.reference as string;
  if (dispute.status !== 'under_review') return { reference };
  return { reference, evidence: await readEvidence(db, dispute) };
}

interface BegunStep {
  readonly step: AnswerStep;
  readonly lease: Micros;
  /** State of the message before this try. */
  readonly before: StepState | undefined;
}

/** Stores the next message, or that all are sent. Undefined then, and if another process has the dispute. */
async function beginStep(
  services: Services,
  { dispute, answers, answer }: Answering,
  lease: Micros,
): Promise<BegunStep | undefined> {
  let begun: BegunStep | undefined;
  await changeLeased(services, dispute, lease, (row) => {
    const progress = answerProgressOf(row);
    const step = answers.nextStep(answer, progress);
    if (!step) return decideAnswered();
    begun = { step, lease: nextLease(services.clock.now()), before: progress[step.name] };
    return decideBegun(row, step, begun.lease);
  });
  return begun;
}

async function sendStep(services: Services, dispute: Row, step: AnswerStep): Promise<StepResult> {
  const scope = { merchant_id: dispute.merchant_id as string, mode: dispute.mode as Mode };
  const content =
    step.file_id === undefined ? '' : await readContent(services, scope, step.file_id);
  if (content === undefined)
    return { result: 'refused', why: 'A file cannot be read. Remove it, and upload it again.' };
  return step.mapAnswer(await sendMessage(services, step.mapRequest(content), scope));
}

async function readContent(
  { db, sealer }: Services,
  scope: { readonly merchant_id: string; readonly mode: Mode },
  id: string,
): Promise<string | undefined> {
  const sealed = await findContent(db, scope, id);
  return sealed && openContent(sealer, sealed, { ...scope, id })?.toString('base64');
}

/** Stores the result of a message. Returns whether the next one may follow. */
async function storeResult(
  services: Services,
  dispute: Row,
  { step, lease, before, result }: BegunStep & { readonly result: StepResult },
): Promise<boolean> {
  if (result.result === 'refused') {
    await storeRefusal(services, dispute, lease, result.why);
    return false;
  }
  if (result.result === 'stored')
    return changeLeased(services, dispute, lease, (row) => decideProgress(row, result.changes));
  const logFields = { dispute: dispute.id, step: step.name, why: result.why };
  services.logger.warn(logFields, 'answer to a dispute not sent: continued after its lease');
  // Nothing left this time. An earlier try may have arrived, so that its state stays.
  if (result.result === 'not_sent')
    await changeLeased(services, dispute, lease, (row) =>
      decideProgress(row, { [step.name]: before ?? null }),
    );
  return false;
}

const storeRefusal = (
  services: Services,
  dispute: Row,
  lease: Micros,
  why: string,
): Promise<boolean> =>
  changeLeased(services, dispute, lease, (row) => decideRefused(row, why, services.clock.now()));

/** Changes a dispute while this process has its lease. Returns whether it had it. */
async function changeLeased(
  services: Services,
  dispute: Row,
  lease: Micros,
  decide: (row: Row) => ChangeOfDispute,
): Promise<boolean> {
  let isLeased = false;
  await services.db.transaction((tx) =>
    changeDispute(
      services,
      tx,
      keyOf(dispute),
      (row) => {
        isLeased = hasLease(row, dispute.status, lease);
        return isLeased ? decide(row) : undefined;
      },
      services.clock.now(),
    ),
  );
  return isLeased;
}
