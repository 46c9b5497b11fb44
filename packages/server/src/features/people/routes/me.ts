import type { FastifyInstance } from 'fastify';
import florin from '../../../../package.json' with { type: 'json' };
import { isRegistrationOpen, mailTransportOf } from '../../../config/config.ts';
import { isTrue, type Row } from '../../../platform/database/row.ts';
import { instantText, type Micros, microsOf } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { merchantStatuses, processingStatus } from '../../merchants/status-view.ts';
import { factorDueAt } from '../access/factor-rule.ts';
import type { Sessions } from '../accounts/sessions.ts';
import { personOf } from '../dashboard/api.ts';
import { merchantsOfAccount } from '../sql/accounts.ts';
import type { Account } from '../sql/sessions.ts';

/** Maximum number of listed merchants of one account. */
const MERCHANTS_MAX = 500;

/** Route for the signed-in person, their merchants, and facts about the installation. */
export function registerMe(
  fastify: FastifyInstance,
  services: Services,
  { idle_seconds }: Pick<Sessions, 'idle_seconds'>,
): void {
  const { db, config, system_clock } = services;
  fastify.get('/dashboard/api/me', async (request) => {
    const { session, account } = personOf(request);
    const merchants = await merchantsOfAccount(db, account.id, MERCHANTS_MAX);
    return {
      account,
      session: {
        id: session.id,
        fresh_until: instantText(microsOf(session.fresh_until)),
        idle_seconds,
      },
      merchants: merchants.map((row) => ({
        ...merchantView(services, row),
        live_needs_factor: factorView(account, row, system_clock.now()),
      })),
      instance: instanceView(config),
    };
  });
  fastify.get('/dashboard/api/instance', { config: { open: true } }, () => instanceView(config));
}

const merchantView = (services: Services, row: Row) => ({
  id: row.id,
  business_name: row.business_name,
  membership_id: row.membership_id,
  opener: isTrue(row.opener),
  permissions: isTrue(row.opener) ? 'all' : (JSON.parse(row.permissions ?? '[]') as string[]),
  /** A membership granted in the sandbox does not apply to live mode. */
  modes: row.invited_mode === 'sandbox' ? ['sandbox'] : ['sandbox', 'live'],
  standing: merchantStatuses(services, row),
  /** Modes in which the merchant's payments have a processor. */
  processing: processingStatus(services, row),
  /** State of the application: submitted by the merchant, approved by the operator. */
  submitted: row.submitted_at != null,
  approved: row.active_at != null,
});

/** When live permissions begin to need a second factor, and whether they do now; null with a factor. */
function factorView(account: Account, { accepted_at, invited_mode }: Row, now: Micros) {
  const due = factorDueAt(account, accepted_at as string);
  if (due === undefined || invited_mode === 'sandbox') return null;
  return { due_at: instantText(due), is_due: due <= now };
}

const instanceView = (config: Services['config']) => ({
  base_url: config.public_url,
  pay_url: config.pay_url,
  version: florin.version,
  mail: mailTransportOf(config),
  registration: isRegistrationOpen(config) ? 'open' : 'closed',
});
