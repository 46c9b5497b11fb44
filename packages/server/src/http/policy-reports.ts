import type { FastifyInstance } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { Logger } from '../platform/logger.ts';
import { networkOf } from '../platform/rates/network-of.ts';
import { createQuota } from '../platform/rates/quota.ts';
import { metricOptions } from './health/metrics.ts';
import { POLICY_REPORT_URL } from './pages/form-headers.ts';

const REPORT_BYTES_MAX = 8 * 1024;
/** Reports per minute from one IPv4 address or IPv6 network. Further reports are refused unread. */
const REPORTS_PER_MINUTE = 30;
const MINUTE_SECONDS = 60;
/** Media type of violation reports with `report-uri`, which all browsers support. */
const MEDIA_TYPE = 'application/csp-report';

/** Directives that our policies contain. Reports about other directives are forged or stale. */
const DIRECTIVES = [
  'default-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'connect-src',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'img-src',
  'font-src',
  'frame-src',
  'form-action',
  'base-uri',
  'frame-ancestors',
  'require-trusted-types-for',
  'trusted-types',
] as const;
type Directive = (typeof DIRECTIVES)[number] | 'unknown';

export interface PolicyReportsOptions {
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly monotonic_ms: () => number;
}

/**
 * Accepts browsers' reports about the form's policy. Only the violated directive is counted and logged:
 * senders can write anything into the other members.
 */
export function registerPolicyReports(
  fastify: FastifyInstance,
  { logger, metrics, monotonic_ms }: PolicyReportsOptions,
): void {
  const violationCounter = new Counter({
    ...metricOptions('florin_policy_violations_total'),
    registers: [metrics],
  });
  const quota = createQuota({
    requests: REPORTS_PER_MINUTE,
    seconds: MINUTE_SECONDS,
    monotonic_ms,
  });
  fastify.register(async (scoped) => {
    // Fastify's built-in parsers would accept reports before they are checked.
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser(
      MEDIA_TYPE,
      { parseAs: 'string', bodyLimit: REPORT_BYTES_MAX },
      (_request, body, done) => done(null, directiveOf(String(body))),
    );
    scoped.addHook('onRequest', async (request, reply) => {
      if (!quota.take(networkOf(request.ip)).granted) return reply.status(429).send();
      return undefined;
    });
    scoped.post<{ Body: Directive | undefined }>(POLICY_REPORT_URL, async ({ body }, reply) => {
      const directive = body ?? 'unknown';
      violationCounter.inc({ directive });
      logger.warn({ directive }, 'browser reported a Content-Security-Policy violation');
      return reply.status(204).send();
    });
  });
}

/** The violated directive of a report, if our policies contain it. */
function directiveOf(text: string): Directive {
  try {
    const report = (JSON.parse(text) as Record<string, Record<string, unknown> | undefined>)[
      'csp-report'
    ];
    const name = report?.['effective-directive'] ?? report?.['violated-directive'];
    return DIRECTIVES.find((directive) => directive === name) ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
