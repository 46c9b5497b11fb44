import type { FastifyInstance } from 'fastify';
import { readBody } from '../../../http/body.ts';
import { isoOf } from '../../../http/page-cursor.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Services } from '../../../services.ts';
import { findSettings } from '../../merchants/sql/callers.ts';
import { settlementExceptionBehaviour } from '../../settlement/resolve.ts';
import { listOpenExceptions } from '../sql/open-cases.ts';
import { fresh, idOfPath, OPERATOR_PATH, reason, scopeOfPath } from './operator-action.ts';
import { operatorPage } from './operator-list.ts';

/** Operators' routes for differences between settlement files and the ledger. */
export function registerOperatorExceptions(fastify: FastifyInstance, services: Services): void {
  const { reads, system_clock, config } = services;
  const behaviour = settlementExceptionBehaviour(services);
  fastify.get(`${OPERATOR_PATH}/settlement_exceptions`, (request) =>
    operatorPage(request, {
      read: (page) => listOpenExceptions(reads, page),
      at: 'created_at',
      viewOf,
    }),
  );
  fastify.post(
    `${OPERATOR_PATH}/merchants/:merchant/:mode/settlement_exceptions/:id/resolve`,
    fresh,
    async (request, reply) => {
      const members = readBody(request.body, { reason });
      const scope = scopeOfPath(request);
      const settings = await findSettings(services.db, scope);
      if (!settings) throw notFound();
      const ctx = {
        scope,
        settings,
        permissions: 'all',
        now: () => system_clock.now(),
        request_id: request.id,
        base_url: config.public_url,
      } as const;
      const attributes = { status: 'resolved', resolution_note: members.reason };
      const input = { attributes, relationships: {} };
      await behaviour.update?.(ctx, idOfPath(request, 'id'), input, attributes);
      return reply.status(204).send();
    },
  );
}

const centsOf = (text: string | null | undefined): number | null =>
  text == null ? null : Number(text);

const viewOf = ({ created_at, expected_cents, found_cents, ...row }: Row) => ({
  ...row,
  expected_cents: centsOf(expected_cents),
  found_cents: centsOf(found_cents),
  created_at: isoOf(created_at),
});
