import { type Resolvers, resolveDue } from '../features/attempts/resolve.ts';
import type { Services } from '../features/services.ts';
import { startLoop } from './loop.ts';

/** Owns every attempt whose answer is missing, until it is known what became of it. */
export const startResolveLoop = (services: Services, resolvers: Resolvers): AsyncDisposable =>
  startLoop({
    name: 'resolve',
    logger: services.logger,
    poll_ms: services.config.work_poll_ms,
    step: () => resolveDue(services, resolvers),
  });
