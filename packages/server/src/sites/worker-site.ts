import type { Registry } from 'prom-client';
import { registerHealth } from '../http/health/health.ts';
import { createRateLimits } from '../http/rate-limit.ts';
import { createSite } from '../http/site.ts';
import type { Services } from '../services.ts';
import { featureHealthOf } from './feature-health.ts';
import type { Sites } from './sites.ts';

/** Creates the site of a worker: health and metrics, for the network of the operator. */
export function createWorkerSite(services: Services, metrics: Registry): Sites {
  const { config, logger, access_logger } = services;
  const { public_url: base_url, access_log } = config;
  const fastify = createSite(logger, { base_url, access_log, access_logger });
  const limits = createRateLimits(config);
  const health = registerHealth(fastify, services, metrics, featureHealthOf(services), limits);
  return { health, sites: [{ fastify, serves: () => true }] };
}
