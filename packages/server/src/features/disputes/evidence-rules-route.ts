import {
  DISPUTE_FILE_BYTES_MAX,
  disputeFileTypes,
} from '@florin/contract/resources/dispute-files.ts';
import { evidenceFields } from '@florin/contract/resources/disputes.ts';
import type { FastifyInstance } from 'fastify';
import { requirePermission } from '../../jsonapi/permissions.ts';
import { notFound } from '../../jsonapi/problems.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRow } from '../../platform/database/rows.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Services } from '../../services.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { findRemovedAccount } from './removed-account.ts';

/**
 * `GET /dashboard/api/disputes/<id>/evidence_rules`: texts and files that the dispute's processor takes, with their
 * limits, so that the form offers nothing else. `removed_account` names an account that sends nothing any more.
 */
export function registerEvidenceRules(fastify: FastifyInstance, services: Services): void {
  const { models, reads } = services;
  const url = '/dashboard/api/disputes/:id/evidence_rules';
  fastify.get<{ Params: { id: string } }>(url, async (request) => {
    const { id } = request.params;
    const ctx = await memberContext(services, request, { type: 'disputes' });
    requirePermission(ctx, models.get('disputes'), 'read');
    const dispute = isUuid(id) ? await findRow(reads, 'disputes', ctx.scope, id) : undefined;
    if (!dispute) throw notFound();
    const removed_account = (await findRemovedAccount(reads, dispute))?.name ?? null;
    return { data: { ...rulesOf(services, dispute), removed_account } };
  });
}

/** Files that the interface takes, where the processor has no rules. */
const ANY_FILE = Object.fromEntries(disputeFileTypes.map((type) => [type, DISPUTE_FILE_BYTES_MAX]));
/** Longest text of the interface. */
const ANY_TEXT = evidenceFields.map((name) => ({ names: [name], chars_max: null }));

function rulesOf(services: Services, dispute: Row) {
  const processor = processorOfRow(services, dispute);
  const { evidence, display_name } = processor?.metadata ?? {};
  return {
    processor: display_name ?? null,
    texts: evidence?.texts ?? ANY_TEXT,
    file_bytes_max: evidence?.file_bytes_max ?? ANY_FILE,
    one_file_of: evidence?.one_file_of ?? [],
  };
}
