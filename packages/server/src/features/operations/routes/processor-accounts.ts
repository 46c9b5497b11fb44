import { cardNetworks } from '@florin/contract/card/networks.ts';
import { currencyNumbers } from '@florin/contract/currencies.ts';
import type { FastifyInstance } from 'fastify';
import { object, oneOf, optional, readBody, text } from '../../../http/body.ts';
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
import {
  findProcessorAccount,
  selectAccounts,
  selectEntries,
} from '../../processor-accounts/sql.ts';
import { createListMember, idMember, orNull } from './members.ts';
import { fresh, idOfPath, OPERATOR_PATH } from './operator-action.ts';

const NAME_MAX = 100;
/** Longest statement descriptor that a processor takes. */
const DESCRIPTOR_MAX = 25;
const ENTRIES_MAX = 100;
const PATH = `${OPERATOR_PATH}/processor_accounts`;

const choices = {
  name: text(NAME_MAX),
  currencies: optional(createListMember([...currencyNumbers.keys()])),
  networks: optional(createListMember(cardNetworks.map(({ brand }) => brand))),
  descriptor: optional(text(DESCRIPTOR_MAX)),
  settings: object,
  secrets: object,
};

const draft = {
  ...choices,
  mode: oneOf(['live', 'sandbox']),
  processor: text(NAME_MAX),
  merchant_id: optional(idMember),
};

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
    const body = readBody(request.body, draft);
    const id = await createAccount(services, personOf(request).account.id, {
      ...body,
      ...choicesOf(body),
      merchant_id: orNull(body.merchant_id),
    });
    return reply.status(201).send({ data: { id } });
  });
  fastify.put(`${PATH}/:id`, fresh, async (request, reply) => {
    const body = readBody(request.body, choices);
    const { id: actor } = personOf(request).account;
    await changeAccount(services, actor, idOfPath(request, 'id'), { ...body, ...choicesOf(body) });
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

const choicesOf = ({
  currencies,
  networks,
  descriptor,
}: {
  readonly currencies: readonly string[] | undefined;
  readonly networks: readonly string[] | undefined;
  readonly descriptor: string | undefined;
}) => ({
  currencies: orNull(currencies),
  networks: orNull(networks),
  descriptor: orNull(descriptor),
});

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
