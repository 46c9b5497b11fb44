import { problem } from '@florin/contract/errors.ts';
import { type LedgerAccount, ledgerAccounts } from '@florin/contract/ledger.ts';
import type { LedgerPage } from '@florin/contract/ledger-page.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pageStartOf } from '../../http/page-cursor.ts';
import { requirePermission } from '../../jsonapi/permissions.ts';
import type { Services } from '../../services.ts';
import { memberContext } from '../people/dashboard/member-context.ts';
import { ledgerPageOf } from './decide-lines.ts';
import { type LedgerPart, readLedgerLines } from './sql/ledger-page.ts';

/**
 * `GET /dashboard/api/ledger?currency=USD&account=merchant&after=<cursor>`: a page of an account's transfers with their signs
 * and the balance after each, newest first.
 */
export function registerLedger(fastify: FastifyInstance, services: Services): void {
  const { reads, models } = services;
  fastify.get('/dashboard/api/ledger', async (request): Promise<LedgerPage> => {
    const ctx = await memberContext(services, request, { type: 'ledger_transfers' });
    for (const type of ['ledger_transfers', 'balances'])
      requirePermission(ctx, models.get(type), 'read');
    return ledgerPageOf(await readLedgerLines(reads, ctx.scope, partOf(request)));
  });
}

function partOf(request: FastifyRequest): LedgerPart {
  const { currency, account = 'merchant' } = request.query as Record<string, unknown>;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
    throw invalid('currency', 'currency must be a code such as USD.');
  if (!isAccount(account))
    throw invalid('account', `account must be one of ${ledgerAccounts.join(', ')}.`);
  return { account, currency, start: pageStartOf(request) };
}

const isAccount = (name: unknown): name is LedgerAccount =>
  ledgerAccounts.some((account) => account === name);

const invalid = (parameter: string, detail: string) =>
  problem('invalid_value', detail, { parameter });
