import type { FastifyInstance } from 'fastify';
import { isoOf } from '../../../http/page-cursor.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { ProcessorMetadata } from '../../../processors/port/metadata.ts';
import type { Services } from '../../../services.ts';
import { personOf } from '../../people/dashboard/api.ts';
import { ACCOUNTS_MAX } from '../../processor-accounts/accounts.ts';
import {
  changeAccount,
  checkAccount,
  createAccount,
  enableAccount,
  pauseAccount,
  removeAccount,
} from '../../processor-accounts/change.ts';
import { orNull } from '../../processor-accounts/members.ts';
import { readAccountChange, readAccountDraft } from '../../processor-accounts/read-account.ts';
import {
  findProcessorAccount,
  selectAccounts,
  selectEntries,
} from '../../processor-accounts/sql.ts';
import { fresh, idOfPath, OPERATOR_PATH } from './operator-action.ts';

const ENTRIES_MAX = 100;
const PATH = `${OPERATOR_PATH}/processor_accounts`;

/** Operators' routes for accounts at payment processors. No response contains a secret. */
export function registerProcessorAccounts(fastify: FastifyInstance, services: Services): void {
  const { db, adapters } = services;
  fastify.get(`${OPERATOR_PATH}/processors`, async () => ({
    data: Object.values(adapters).map(({ metadata }) => metadataView(metadata)),
  }));
  fastify.get(PATH, async () => ({
    data: (await selectAccounts(db, ACCOUNTS_MAX)).map(accountView),
  }));
  fastify.get(`${PATH}/:id`, async (request) => {
    const id = idOfPath(request, 'id');
    const row = await findProcessorAccount(db, id);
    if (!row) throw notFound();
    const entries = await selectEntries(db, id, ENTRIES_MAX);
    return { data: { ...accountView(row), entries: entries.map(entryView) } };
  });
  fastify.post(PATH, fresh, async (request, reply) => {
    const draft = readAccountDraft(request.body);
    const id = await createAccount(services, personOf(request).account.id, draft);
    return reply.status(201).send({ data: { id } });
  });
  fastify.put(`${PATH}/:id`, fresh, async (request, reply) => {
    const change = readAccountChange(request.body);
    await changeAccount(services, personOf(request).account.id, idOfPath(request, 'id'), change);
    return reply.status(204).send();
  });
  fastify.post(`${PATH}/:id/check`, fresh, async (request) => {
    const failure = await checkAccount(
      services,
      personOf(request).account.id,
      idOfPath(request, 'id'),
    );
    return { data: { accepted: failure === undefined, failure: orNull(failure) } };
  });
  fastify.post(`${PATH}/:id/enable`, fresh, async (request, reply) => {
    await enableAccount(services, personOf(request).account.id, idOfPath(request, 'id'));
    return reply.status(204).send();
  });
  fastify.post(`${PATH}/:id/pause`, fresh, async (request, reply) => {
    await pauseAccount(services, personOf(request).account.id, idOfPath(request, 'id'));
    return reply.status(204).send();
  });
  fastify.post(`${PATH}/:id/remove`, fresh, async (request, reply) => {
    await removeAccount(services, personOf(request).account.id, idOfPath(request, 'id'));
    return reply.status(204).send();
  });
}

const metadataView = ({ fields, ...metadata }: ProcessorMetadata) => ({
  ...metadata,
  fields: fields.map(({ pattern, ...field }) => ({
    ...field,
    ...(pattern && { pattern: pattern.source }),
  })),
});

const jsonOf = (value: string | null | undefined): unknown => (value ? JSON.parse(value) : null);

const accountView = ({ settings, secret_names, currencies, networks, ...row }: Row) => ({
  ...row,
  settings: jsonOf(settings),
  secret_names: jsonOf(secret_names),
  currencies: jsonOf(currencies),
  networks: jsonOf(networks),
  checked_at: isoOf(row.checked_at),
  created_at: isoOf(row.created_at),
  updated_at: isoOf(row.updated_at),
});

const entryView = ({ details, created_at, ...entry }: Row) => ({
  ...entry,
  details: jsonOf(details),
  created_at: isoOf(created_at),
});
