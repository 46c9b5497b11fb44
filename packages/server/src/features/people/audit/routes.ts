import type { AuditPerson } from '@florin/contract/audit-person.ts';
import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isoOf, pageOf, pageStartOf } from '../../../http/page-cursor.ts';
import { requirePermission } from '../../../jsonapi/permissions.ts';
import { queryInstantOf } from '../../../jsonapi/request.ts';
import { storable } from '../../../jsonapi/values/text.ts';
import { isTrue, type Row } from '../../../platform/database/row.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Services } from '../../../services.ts';
import { memberContext } from '../dashboard/member-context.ts';
import { listAuditEntries, listAuditPeople } from './sql.ts';

const PAGE_SIZE = 50;
const ACTION_MAX = 100;

/** Routes for actions of a merchant's members, newest first, and for the people of the log's filter. */
export function registerAudit(fastify: FastifyInstance, services: Services): void {
  const { reads, models } = services;
  const merchantOf = async (request: FastifyRequest): Promise<string> => {
    const ctx = await memberContext(services, request, {
      type: 'memberships',
      of_both_modes: true,
    });
    requirePermission(ctx, models.get('memberships'), 'read');
    return ctx.scope.merchant_id;
  };
  fastify.get('/dashboard/api/audit_people', async (request): Promise<readonly AuditPerson[]> => {
    const rows = await listAuditPeople(reads, await merchantOf(request));
    return rows.map(personView);
  });
  fastify.get('/dashboard/api/audit_entries', async (request) => {
    const merchant_id = await merchantOf(request);
    const rows = await listAuditEntries(reads, {
      merchant_id,
      ...filtersOf(request),
      limit: PAGE_SIZE + 1,
    });
    return pageOf(rows, PAGE_SIZE, 'created_at', entryView);
  });
}

function filtersOf(request: FastifyRequest) {
  const { account, record, action } = request.query as Readonly<Record<string, unknown>>;
  return {
    account_id: idOf('account', account),
    record_id: idOf('record', record),
    action: typeof action === 'string' ? storable(action.slice(0, ACTION_MAX)) : undefined,
    from: queryInstantOf(request, 'from'),
    before: queryInstantOf(request, 'before'),
    after: pageStartOf(request),
  };
}

function idOf(parameter: string, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && isUuid(value)) return value;
  throw problem('invalid_filter', `${parameter} must be a UUID.`, { parameter });
}

const entryView = (row: Row) => {
  const { created_at, outcome, account_id, name, email, token_id, token_name, dry_run, ...entry } =
    row;
  return {
    ...entry,
    dry_run: dry_run == null ? null : isTrue(dry_run),
    account: account_id ? { id: account_id, name, email } : null,
    merchant_token: token_id ? { id: token_id, name: token_name } : null,
    outcome: outcome === null ? null : Number(outcome),
    created_at: isoOf(created_at),
  };
};

const personView = ({ id, name, email, is_member }: Row): AuditPerson => ({
  id: id as string,
  name: name ?? null,
  email: email as string,
  is_member: isTrue(is_member),
});
