import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { isRegistrationOpen } from '../../../config/config.ts';
import { readBody, text } from '../../../http/body.ts';
import { idFromPath } from '../../../http/id-of.ts';
import type { Signer } from '../../../platform/crypto/signer.ts';
import { instantText } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { accountRequestOf, sendCreated } from '../../people/dashboard/account-request.ts';
import { factorNeeded, personOf } from '../../people/dashboard/api.ts';
import { invitationsOf } from '../../people/sql/accounts.ts';
import { acceptInvitation } from '../../people/sql/members.ts';
import { openMerchant } from '../open-merchant.ts';
import { countOpened } from '../sql/onboarding.ts';

const NAME_MAX = 200;
const INVITATIONS_MAX = 100;

/** Routes to open merchants, and to accept invitations. */
export function registerMerchants(
  fastify: FastifyInstance,
  services: Services,
  signer: Signer,
): void {
  const { db, config, system_clock } = services;
  fastify.post('/dashboard/api/merchants', async (request, reply) => {
    const { account } = personOf(request);
    const { business_name } = readBody(request.body, { business_name: text(NAME_MAX) });
    const mayOpen =
      isRegistrationOpen(config) || account.operator || (await countOpened(db, account.id)) > 0;
    if (!mayOpen) throw account.needs_factor ? factorNeeded() : closedProblem();
    const accountRequest = accountRequestOf({ signer, system_clock }, request, { business_name });
    const creation = await openMerchant(services, account, business_name, accountRequest);
    return sendCreated(reply, creation, `/dashboard/api/merchants/${creation.id}`).send({
      id: creation.id,
    });
  });
  fastify.get('/dashboard/api/invitations', async (request) => ({
    data: await invitationsOf(db, personOf(request).account.id, INVITATIONS_MAX),
  }));
  fastify.post('/dashboard/api/invitations/:merchant/:id/accept', async (request, reply) => {
    const { merchant } = request.params as { readonly merchant: string };
    const key = { merchant_id: idFromPath({ params: { id: merchant } }), id: idFromPath(request) };
    const account_id = personOf(request).account.id;
    const isAccepted = await acceptInvitation(db, key, {
      account_id,
      at: instantText(system_clock.now()),
    });
    if (!isAccepted) throw noSuchInvitation();
    return reply.status(204).send();
  });
}

const closedProblem = () =>
  problem(
    'registration_closed',
    'Registration is closed on this server. Ask the operator to open a business.',
  );

const noSuchInvitation = () =>
  problem('not_found', 'The invitation was withdrawn or already accepted. Ask for a new one.');
