import { problem } from '@florin/contract/errors.ts';
import { processorDetails } from '@florin/contract/resources/processor-details.ts';
import type { FastifyInstance } from 'fastify';
import { oneOf, readBody } from '../../../http/body.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyOf, keyText } from '../../../platform/database/row-key.ts';
import { findRow } from '../../../platform/database/rows.ts';
import { lockRows, transition } from '../../../platform/database/transition.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { fresh, idOfPath, OPERATOR_PATH, scopeOfPath } from './operator-action.ts';

const onboarding_state = oneOf(processorDetails.fields.onboarding_state.values);
const processing_state = oneOf(processorDetails.fields.processing_state.values);

/** A record of an account says whether the account takes payments, so only watching is a choice. */
function requireStateOfAccount(
  { processor_account_id, processing_state }: Row,
  next: string | undefined,
): void {
  if (!processor_account_id || next === undefined) return;
  if ((processing_state === 'disabled') === (next === 'disabled')) return;
  const detail = `processing_state follows the processor account. To change it, enable or pause the account ${processor_account_id}.`;
  throw problem('invalid', detail, { pointer: '/processing_state' });
}

/**
 * Operators' routes for merchants' accounts at processors. Repeated requests have no further
 * effect.
 */
export function registerOperatorProcessors(
  fastify: FastifyInstance,
  { db, catalog, system_clock }: Services,
): void {
  fastify.patch(
    `${OPERATOR_PATH}/merchants/:merchant/:mode/processor_details/:id`,
    fresh,
    async (request, reply) => {
      const set = readBody(request.body, { onboarding_state, processing_state });
      const row = await findRow(
        db,
        'processor_details',
        scopeOfPath(request),
        idOfPath(request, 'id'),
      );
      if (!row) throw notFound();
      await db.transaction(async (tx) => {
        const lockedRows = await lockRows(tx, 'processor_details', [keyOf(row)]);
        const rowBefore = lockedRows.get(keyText(row)) ?? row;
        requireStateOfAccount(rowBefore, set.processing_state);
        const options = { table: 'processor_details', at: instantText(system_clock.now()) };
        await transition(tx, catalog, options, [{ before: rowBefore, set }]);
      });
      return reply.status(204).send();
    },
  );
}
