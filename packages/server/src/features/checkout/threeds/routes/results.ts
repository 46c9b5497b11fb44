import { problem } from '@florin/contract/errors.ts';
import type { FastifyInstance } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { metricOptions } from '../../../../http/health/metrics.ts';
import { createQuota } from '../../../../platform/rates/quota.ts';
import { threedsOf } from '../../routes/form-session.ts';
import { type AcceptedResult, acceptBankResult } from '../accept-result.ts';
import { type ThreeDSecure, threedsPaths } from '../threeds.ts';

/** More than any result has. */
const BODY_BYTES_MAX = 64 * 1024;
/** Anyone can send forged results, so a flood must not fill the log. */
const LOGGED_PER_MINUTE = 10;
const MINUTE_SECONDS = 60;

export interface ThreeDSecureResultsOptions {
  readonly threeds: ThreeDSecure;
  readonly metrics: Registry;
  readonly monotonic_ms: () => number;
}

/**
 * Registers the route to which directory servers send results of challenges. Each result is signed with
 * a key of its authentication. All refusals are alike: 401, counted and logged.
 */
export function registerThreeDSecureResults(
  fastify: FastifyInstance,
  { threeds, metrics, monotonic_ms }: ThreeDSecureResultsOptions,
): void {
  const refusals = new Counter({
    ...metricOptions('florin_threeds_results_refused_total'),
    registers: [metrics],
  });
  const logQuota = createQuota({
    requests: LOGGED_PER_MINUTE,
    seconds: MINUTE_SECONDS,
    monotonic_ms,
  });
  fastify.register(async (scoped) => {
    // Signatures cover the bytes, so no parser may change them.
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    scoped.post<{ Params: { handle: string }; Body: string | undefined }>(
      `${threedsPaths.results}/:handle`,
      async ({ params, body = '', headers }) => {
        const result = await receive(threeds, params.handle, { headers: textsOf(headers), body });
        if ('receipt' in result) return result.receipt;
        refusals.inc({ reason: result.refused });
        if (logQuota.take('').granted)
          threeds.services.logger.error({ reason: result.refused }, '3-D Secure result refused');
        throw problem('unauthorized', 'The result is not authentic. Nothing was stored.');
      },
    );
  });
}

async function receive(
  threeds: ThreeDSecure,
  handle: string,
  message: Parameters<typeof acceptBankResult>[2],
): Promise<AcceptedResult> {
  const key = threeds.signed_references.read('directory', handle);
  return key
    ? acceptBankResult(await threedsOf(threeds, key), key, message)
    : { refused: 'address' };
}

const textsOf = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
