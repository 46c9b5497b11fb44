import type { FastifyInstance } from 'fastify';
import { oneOf, optional, readBody, text } from '../../../http/body.ts';
import { isoOf } from '../../../http/page-cursor.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { mayStillReverse } from '../../attempts/accepted-reversals.ts';
import { approvedAmountOf } from '../../attempts/other-amount.ts';
import { processorOfRow } from '../../attempts/own-processor.ts';
import { recoveryStepOf } from '../../attempts/recovery.ts';
import { timelineOfId } from '../../timelines/timeline-of.ts';
import { closeOutcome } from '../close-outcome.ts';
import { foundOutcomes } from '../decide-close-outcome.ts';
import { inquireNow, listUnknownAttempts } from '../sql/open-cases.ts';
import {
  fresh,
  idOfPath,
  OPERATOR_PATH,
  operatorActionOf,
  reason,
  scopeOfPath,
} from './operator-action.ts';
import { operatorPage } from './operator-list.ts';

/** Longest id of a payment at a processor. */
const REFERENCE_MAX = 100;

/** Operators' routes for attempts without an outcome. */
export function registerOperatorUnknown(fastify: FastifyInstance, services: Services): void {
  const { reads, db, system_clock } = services;
  fastify.get(`${OPERATOR_PATH}/unknown_outcomes`, async (request) => {
    const now = system_clock.now();
    const page = await operatorPage(request, {
      read: (position) => listUnknownAttempts(reads, position),
      at: 'since',
      viewOf: (row) => viewOf(services, row),
    });
    return { ...page, now: instantText(now) };
  });
  fastify.post(
    `${OPERATOR_PATH}/merchants/:merchant/:mode/unknown_outcomes/:id/ask`,
    fresh,
    async (request, reply) => {
      const id = idOfPath(request, 'id');
      const scope = scopeOfPath(request);
      const { clock } = await timelineOfId(services, scope, ['attempts'], id);
      if (!(await inquireNow(db, { ...scope, id, at: instantText(clock.now()) }))) throw notFound();
      return reply.status(204).send();
    },
  );
  fastify.post(
    `${OPERATOR_PATH}/merchants/:merchant/:mode/unknown_outcomes/:id/close`,
    fresh,
    async (request, reply) => {
      const { processor_reference: reference, ...body } = readBody(request.body, {
        reason,
        outcome: oneOf(foundOutcomes),
        processor_reference: optional(text(REFERENCE_MAX)),
      });
      const found = { ...scopeOfPath(request), id: idOfPath(request, 'id') };
      const action = operatorActionOf(request, body.reason);
      await closeOutcome(services, action, { ...found, outcome: body.outcome, reference });
      return reply.status(204).send();
    },
  );
}

/** A row without `due_at` waits for an operator. */
function viewOf(services: Services, attempt: Row) {
  const {
    since,
    due_at,
    inquiries,
    processor_reference: _,
    codes: __,
    reversals: ___,
    ...row
  } = attempt;
  const [approved_cents = null, approved_currency = null] =
    approvedAmountOf(attempt)?.split(' ') ?? [];
  const recovery = processorOfRow(services, attempt)?.metadata.recovery;
  return {
    ...row,
    approved_cents,
    approved_currency,
    account: services.accounts.find(row.processor_account_id as string)?.name ?? null,
    may_still_reverse: mayStillReverse(attempt),
    step: recovery ? recoveryStepOf(recovery, attempt) : 'inquire',
    needs_operator: due_at == null,
    inquiries: Number(inquiries),
    since: isoOf(since),
    due_at: isoOf(due_at),
  };
}
