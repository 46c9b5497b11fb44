import type { FastifyInstance } from 'fastify';
import { flag, optional, readBody } from '../../../http/body.ts';
import { isoOf } from '../../../http/page-cursor.ts';
import { parseIfMatch, versionOf } from '../../../jsonapi/etag.ts';
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
} from '../../processor-accounts/change.ts';
import { orNull } from '../../processor-accounts/members.ts';
import { readAccountChange, readAccountDraft } from '../../processor-accounts/read-account.ts';
import { obligationsOf, removeAccount } from '../../processor-accounts/remove.ts';
import { selectKeyRefusals } from '../../processor-accounts/sql/key-refusals.ts';
import { selectRefusals } from '../../processor-accounts/sql/refusals.ts';
import {
  findProcessorAccount,
  selectAccounts,
  selectEntries,
  selectMerchantNames,
  selectSecretTimes,
} from '../../processor-accounts/sql.ts';
import { NOTIFICATIONS_PATH } from '../../processor-notifications/routes.ts';
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
    data: await viewsOf(services, await selectAccounts(db, ACCOUNTS_MAX)),
  }));
  fastify.get(`${PATH}/:id`, async (request) => {
    const id = idOfPath(request, 'id');
    const row = await findProcessorAccount(db, id);
    if (!row) throw notFound();
    const entries = await selectEntries(db, id, ENTRIES_MAX);
    const times = await selectSecretTimes(db, id);
    const [view] = await viewsOf(services, [row]);
    return {
      data: {
        ...view,
        secrets: secretsView(row, times),
        entries: entries.map(entryView),
        obligations: await obligationsOf(db, id),
      },
    };
  });
  fastify.post(PATH, fresh, async (request, reply) => {
    const draft = readAccountDraft(request.body);
    const id = await createAccount(services, personOf(request).account.id, draft);
    return reply.status(201).send({ data: { id } });
  });
  fastify.put(`${PATH}/:id`, fresh, async (request, reply) => {
    const change = readAccountChange(request.body);
    await changeAccount(
      services,
      personOf(request).account.id,
      idOfPath(request, 'id'),
      change,
      parseIfMatch(request.headers['if-match']),
    );
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
    const choices = readBody(request.body ?? {}, { give_up_refunds: optional(flag) });
    await removeAccount(services, personOf(request).account.id, idOfPath(request, 'id'), choices);
    return reply.status(204).send();
  });
}

const metadataView = ({ fields, ...metadata }: ProcessorMetadata) => ({
  ...metadata,
  fields: fields.map(({ pattern, mode_patterns, ...field }) => ({
    ...field,
    ...(pattern && { pattern: pattern.source }),
    ...(mode_patterns && {
      mode_patterns: { live: mode_patterns.live.source, sandbox: mode_patterns.sandbox.source },
    }),
  })),
});

const jsonOf = (value: string | null | undefined): unknown => (value ? JSON.parse(value) : null);

type ViewServices = Pick<Services, 'db' | 'accounts' | 'config'>;

/** Accounts with their merchants' names, and the address that their processors notify. */
async function viewsOf({ db, accounts, config }: ViewServices, rows: readonly Row[]) {
  const names = await selectMerchantNames(
    db,
    rows.flatMap(({ merchant_id }) => merchant_id ?? []),
  );
  const refusals = await selectRefusals(db);
  const keyRefusals = await selectKeyRefusals(db);
  return rows.map((row) => {
    const isNotified = accounts.find(row.id as string)?.processor.notifications !== undefined;
    return {
      ...accountView(row),
      merchant_name: names.get(row.merchant_id ?? '') ?? null,
      notification_url: isNotified ? `${config.public_url}${NOTIFICATIONS_PATH}/${row.id}` : null,
      refused_notifications: refusalsView(refusals.get(row.id as string)),
      refused_key: refusedKeyView(keyRefusals.get(row.id as string)),
    };
  });
}

const accountView = ({ settings, secret_names, currencies, networks, ...row }: Row) => ({
  ...row,
  etag: `"${versionOf(row)}.account"`,
  settings: jsonOf(settings),
  secret_names: jsonOf(secret_names),
  currencies: jsonOf(currencies),
  networks: jsonOf(networks),
  checked_at: isoOf(row.checked_at),
  created_at: isoOf(row.created_at),
  updated_at: isoOf(row.updated_at),
});

/** Refused notifications since the last accepted one; null if there are none. */
const refusalsView = (row: Row | undefined) =>
  row
    ? {
        count: Number(row.count),
        since: isoOf(row.since),
        last_at: isoOf(row.last_at),
        last_reason: row.last_reason,
        last_hash: row.last_hash,
      }
    : null;

/** Messages with a refused key since the last accepted one; null if there are none. */
const refusedKeyView = (row: Row | undefined) =>
  row
    ? {
        count: Number(row.count),
        since: isoOf(row.since),
        last_at: isoOf(row.last_at),
        last_status: Number(row.last_status),
        last_code: row.last_code ?? null,
      }
    : null;

/** Stored secrets with the time of their last change; null if no entry tells it. */
const secretsView = ({ secret_names }: Row, times: readonly Row[]) =>
  (jsonOf(secret_names) as readonly string[]).map((name) => ({
    name,
    stored_at: isoOf(times.find((time) => time.name === name)?.stored_at),
  }));

const entryView = ({ details, created_at, ...entry }: Row) => ({
  ...entry,
  details: jsonOf(details),
  created_at: isoOf(created_at),
});
