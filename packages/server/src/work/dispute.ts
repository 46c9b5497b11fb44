import { readDisputeNews } from '../features/disputes/news.ts';
import { respondDue } from '../features/disputes/respond.ts';
import type { Services } from '../features/services.ts';
import { startLoop } from './loop.ts';

/** Tells processors what merchants say of disputes, and reads what they tell. */
export const startDisputeLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'dispute',
    logger: services.logger,
    pulses: services.pulses,
    wake: services.wake.dispute,
    poll_ms: services.config.work_poll_ms,
    async step() {
      const responded = await respondDue(services);
      const told = [
        await readDisputeNews(services, 'sandbox'),
        await readDisputeNews(services, 'live'),
      ];
      return responded || told.some(Boolean);
    },
  });

/** The first of both alone: what processors tell is read for all worlds at once. */
export const startRespondLoop = (services: Services): AsyncDisposable =>
  startLoop({
    name: 'respond',
    logger: services.logger,
    pulses: services.pulses,
    wake: services.wake.dispute,
    poll_ms: services.config.work_poll_ms,
    step: () => respondDue(services),
  });
