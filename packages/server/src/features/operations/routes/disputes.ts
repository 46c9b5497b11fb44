import { closingOutcomes } from '@florin/contract/protocol/processor-command.ts';
import type { FastifyInstance } from 'fastify';
import { oneOf, readBody } from '../../../http/body.ts';
import { isoOf, pageOf, pageStartOf } from '../../../http/page-cursor.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { SILENT_SECONDS } from '../../disputes/decide-close.ts';
import { listClosable } from '../../disputes/sql/closings.ts';
import { closeDisputeByHand } from '../close-dispute.ts';
import {
  fresh,
  idOfPath,
  OPERATOR_PATH,
  operatorActionOf,
  reason,
  scopeOfPath,
} from './operator-action.ts';

const PAGE_SIZE = 50;

/** Operators' routes for open disputes whose account is removed or silent. */
export function registerOperatorDisputes(fastify: FastifyInstance, services: Services): void {
  const { reads, system_clock } = services;
  fastify.get(`${OPERATOR_PATH}/disputes`, async (request) => {
    const rows = await listClosable(reads, {
      processor_account_id: null,
      silent_before: instantText(system_clock.now() - seconds(SILENT_SECONDS)),
      limit: PAGE_SIZE + 1,
      after: pageStartOf(request),
    });
    return pageOf(rows, PAGE_SIZE, 'created_at', viewOf);
  });
  fastify.post(
    `${OPERATOR_PATH}/merchants/:merchant/:mode/disputes/:id/close`,
    fresh,
    async (request, reply) => {
      const members = readBody(request.body, { reason, outcome: oneOf(closingOutcomes) });
      const { outcome } = members;
      const found = { ...scopeOfPath(request), id: idOfPath(request, 'id'), outcome };
      await closeDisputeByHand(services, operatorActionOf(request, members.reason), found);
      return reply.status(204).send();
    },
  );
}

const viewOf = ({ amount_cents, created_at, updated_at, ...row }: Row) => ({
  ...row,
  amount_cents: Number(amount_cents),
  created_at: isoOf(created_at),
  updated_at: isoOf(updated_at),
});
