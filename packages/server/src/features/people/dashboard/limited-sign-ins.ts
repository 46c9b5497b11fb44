import type { FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { metricOptions } from '../../../http/health/metrics.ts';
import { networkOf } from '../../../platform/rates/network-of.ts';

/** Reports a sign-in that was refused without a check, after too many guesses. */
export type ReportLimited = (request: FastifyRequest) => void;

/** Accounts are left out of the log, because the typed address may be a password, or that of another person. */
export function createLimitedReport(metrics: Registry): ReportLimited {
  const counter = new Counter({
    ...metricOptions('florin_sign_ins_refused_total'),
    registers: [metrics],
  });
  return ({ log, ip }) => {
    counter.inc();
    log.warn({ network: networkOf(ip) }, 'sign-in refused after too many guesses');
  };
}
