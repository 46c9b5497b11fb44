import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { flag, type MemberParser, oneOf, optional, readBody, text } from '../../../http/body.ts';
import type { RequestContext } from '../../../jsonapi/behaviour.ts';
import { requirePermission } from '../../../jsonapi/permissions.ts';
import { notFound } from '../../../jsonapi/problems.ts';
import type { Signer } from '../../../platform/crypto/signer.ts';
import { isTrue, type Row } from '../../../platform/database/row.ts';
import { countRows, insertRows } from '../../../platform/database/rows.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { lockMerchant } from '../../merchants/sql/merchants.ts';
import { createdOnce } from '../../people/accounts/once.ts';
import { accountRequestOf, sendCreated } from '../../people/dashboard/account-request.ts';
import { memberContext, type RequestSubject } from '../../people/dashboard/member-context.ts';
import { entityTypes, missingOf, requireComplete, taxIdTypes } from '../application.ts';
import { accountNumberOf, routingNumberOf } from '../bank-account.ts';
import {
  applicationColumns,
  findApplication,
  submitApplication,
  updateApplication,
} from '../sql/onboarding.ts';

const NAME_MAX = 200;
const NUMBER_MAX = 60;
const BANKS_MAX = 10;
const BUSINESS: RequestSubject = { type: 'merchants', of_both_modes: true };
const BANKS: RequestSubject = { type: 'financial_institutions', of_both_modes: true };

/**
 * Routes of a new merchant's application for live mode. Members with sandbox permissions alone
 * cannot change it.
 */
export function registerApplication(
  fastify: FastifyInstance,
  services: Services,
  signer: Signer,
): void {
  const { db, system_clock, models } = services;
  const mayUpdate = (ctx: RequestContext) =>
    requirePermission(ctx, models.get('merchants'), 'update');
  const findOrRefuse = async (ctx: RequestContext): Promise<Row> => {
    const row = await findApplication(db, ctx.scope.merchant_id);
    if (!row) throw notFound();
    return row;
  };
  fastify.get('/dashboard/api/application', async (request) => {
    const ctx = await memberContext(services, request, BUSINESS);
    requirePermission(ctx, models.get('merchants'), 'read');
    return applicationView(await findOrRefuse(ctx));
  });
  fastify.patch('/dashboard/api/application', async (request) => {
    const ctx = await memberContext(services, request, BUSINESS);
    mayUpdate(ctx);
    const members = readBody(request.body, {
      category_code: optional(categoryCode),
      entity_type: optional(oneOf(entityTypes)),
      prior_bankruptcies: optional(flag),
      tax_id_type: optional(oneOf(taxIdTypes)),
    });
    const change = Object.fromEntries(
      Object.entries(members).filter(
        (entry): entry is [string, string | boolean] => entry[1] !== undefined,
      ),
    );
    const at = instantText(system_clock.now());
    if (!(await updateApplication(db, ctx.scope.merchant_id, change, at))) throw submittedProblem();
    return applicationView(await findOrRefuse(ctx));
  });
  fastify.post('/dashboard/api/application/submit', async (request) => {
    const ctx = await memberContext(services, request, BUSINESS);
    mayUpdate(ctx);
    requireComplete(await findOrRefuse(ctx));
    const at = instantText(system_clock.now());
    if (!(await submitApplication(db, ctx.scope.merchant_id, at))) throw submittedProblem();
    return applicationView(await findOrRefuse(ctx));
  });
  registerBank(fastify, services, signer);
}

/**
 * Stores the bank account for payouts. The account number is sealed; clients see its last four
 * characters.
 */
function registerBank(fastify: FastifyInstance, services: Services, signer: Signer): void {
  const { db, catalog, system_clock, models, sealer } = services;
  const config = { fresh: true, numbers: true } as const;
  fastify.post('/dashboard/api/financial_institutions', { config }, async (request, reply) => {
    const ctx = await memberContext(services, request, BANKS);
    requirePermission(ctx, models.get('merchants'), 'update');
    const { account_number, ...sent } = readBody(request.body, {
      name: text(NAME_MAX),
      holder_name: text(NAME_MAX),
      account_number: accountNumber,
      routing_number: routingNumber,
    });
    const { merchant_id } = ctx.scope;
    const now = system_clock.now();
    const id = uuidv7(now);
    const at = instantText(now);
    const sealLocation = { merchant_id, id, column: 'account_number' };
    const row: Row = {
      ...sent,
      merchant_id,
      id,
      state: 'pending',
      account_number: sealer.seal(account_number, sealLocation),
      account_last_four: account_number.slice(-4),
      created_at: at,
      updated_at: at,
    };
    const content = { merchant_id, account_number, ...sent };
    const accountRequest = accountRequestOf({ signer, system_clock }, request, content);
    const creation = await db.transaction((tx) =>
      createdOnce(tx, accountRequest, id, async () => {
        // The merchant's lock keeps concurrent requests from exceeding the limit.
        await lockMerchant(tx, merchant_id);
        const limit = { merchant_id, up_to: BANKS_MAX };
        if ((await countRows(tx, 'financial_institutions', limit)) >= BANKS_MAX) throw tooMany();
        await insertRows(tx, catalog, 'financial_institutions', [row]);
      }),
    );
    return sendCreated(reply, creation, `/v2/financial_institutions/${creation.id}`).send({
      id: creation.id,
      account_last_four: row.account_last_four,
    });
  });
}

const categoryCode: MemberParser<string> = (value) =>
  typeof value === 'string' && /^\d{4}$/.test(value)
    ? { value }
    : { code: 'invalid', predicate: 'must have four digits (ISO 18245)' };

const accountNumber: MemberParser<string> = (value) => {
  const read = text(NUMBER_MAX)(value);
  if (!('value' in read)) return read;
  const number = accountNumberOf(read.value);
  return number
    ? { value: number }
    : {
        code: 'invalid',
        predicate: 'must be an IBAN, or a national account number of 4 to 17 digits',
      };
};

const routingNumber: MemberParser<string> = (value) => {
  const read = text(NUMBER_MAX)(value);
  if (!('value' in read)) return read;
  const number = routingNumberOf(read.value);
  return number
    ? { value: number }
    : { code: 'invalid', predicate: 'must be a BIC, or a routing number of nine digits' };
};

const applicationView = (row: Row) => ({
  ...Object.fromEntries(applicationColumns.map((name) => [name, row[name] ?? null])),
  prior_bankruptcies: row.prior_bankruptcies == null ? null : isTrue(row.prior_bankruptcies),
  officials: Number(row.officials),
  owners: Number(row.owners),
  addresses: Number(row.addresses),
  banks: Number(row.banks),
  missing: missingOf(row),
  submitted: row.submitted_at != null,
  approved: row.active_at != null,
});

const submittedProblem = () =>
  problem('invalid_state', 'The application is already submitted. Ask the operator to change it.');

const tooMany = () =>
  problem(
    'limit_reached',
    `A business can have at most ${BANKS_MAX} bank accounts. Remove one first.`,
  );
