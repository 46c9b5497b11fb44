import { closingOutcomes } from '@florin/contract/protocol/processor-command.ts';
import type { FastifyInstance } from 'fastify';
import { isoOf } from '../../../http/page-cursor.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, seconds } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { SILENT_SECONDS } from '../../disputes/decide-close.ts';
import { listClosable } from '../../disputes/sql/closings.ts';
import { closeDisputeByHand } from '../close-dispute.ts';
import type { PageOf } from '../sql/open-cases.ts';
import { fresh, OPERATOR_PATH, readClosing } from './operator-action.ts';
import { operatorPage } from './operator-list.ts';

/** Operators' routes for open disputes whose account is removed or silent. */
export function registerOperatorDisputes(fastify: FastifyInstance, services: Services): void {
  const { reads, system_clock } = services;
  fastify.get(`${OPERATOR_PATH}/disputes`, async (request) => {
    const silent_before = instantText(system_clock.now() - seconds(SILENT_SECONDS));
    const of = { processor_account_id: null, silent_before };
    const read = (page: PageOf) => listClosable(reads, { ...of, ...page });
    return operatorPage(request, { read, at: 'created_at', viewOf });
  });
  fastify.post(
    `${OPERATOR_PATH}/merchants/:merchant/:mode/disputes/:id/close`,
    fresh,
    async (request, reply) => {
      const { action, found } = readClosing(request, closingOutcomes);
      await closeDisputeByHand(services, action, found);
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
