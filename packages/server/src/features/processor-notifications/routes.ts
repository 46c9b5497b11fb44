import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { VaultUnavailable } from '../../processors/wire/relay.ts';
import type { Services } from '../../services.ts';
import { receiveNotification } from './receive.ts';
import { createRefusals } from './refusals.ts';

/** Path below which processors send notifications, with the id of the account. */
export const NOTIFICATIONS_PATH = '/notifications';
/** More than any batch of notifications that the supported processors send. */
const BODY_BYTES_MAX = 256 * 1024;

/** Registers the address of each account for its processor's notifications. */
export function registerNotifications(fastify: FastifyInstance, services: Services): void {
  const refusals = createRefusals(services);
  fastify.addHook('onClose', () => refusals.close());
  fastify.register(async (scoped) => {
    // Signatures cover the bytes, so no parser may change them.
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    scoped.post<{ Params: { account: string }; Body: Buffer | undefined }>(
      `${NOTIFICATIONS_PATH}/:account`,
      async ({ params, body, headers }, reply) => {
        const notification = { headers: textHeaders(headers), body: body ?? Buffer.alloc(0) };
        const receipt = await receiveNotification(
          { ...services, refusals },
          params.account,
          notification,
        ).catch(unavailable);
        if (receipt.result === 'stored') return reply.send(receipt.acknowledgement);
        if (receipt.result === 'no_account')
          throw problem('not_found', 'No processor account has this address. Check the path.');
        services.processor_metrics.countNotification(params.account, 'refused');
        throw problem('unauthorized', 'The signature of the notification is wrong or missing.');
      },
    );
  });
}

/** The processor sends the notification again. */
function unavailable(error: unknown): never {
  if (error instanceof VaultUnavailable)
    throw problem('unavailable', 'The notification cannot be verified now. Send it again later.');
  throw error;
}

const textHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value ?? '')] as const),
  );
