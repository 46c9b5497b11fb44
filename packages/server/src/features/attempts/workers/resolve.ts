import { createCrew } from '../../../platform/concurrency/crew.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { createAgeAlarm } from '../age-alarm.ts';
import { claimOpen, type Inquiring, type Resolvers } from '../resolve.ts';

/** Concurrent inquiries. */
const IN_FLIGHT_MAX = 48;

/** Resolves every attempt without an outcome. Slow inquiries do not delay others. */
export function startResolveLoop(
  given: Omit<Inquiring, 'alarm'> & Pick<Services, 'pulses'>,
  resolvers: Resolvers,
): AsyncDisposable {
  const services = { ...given, alarm: createAgeAlarm(given.logger) };
  const crew = createCrew(IN_FLIGHT_MAX);
  const loop = startLoop({
    name: 'resolve',
    logger: services.logger,
    pulses: services.pulses,
    poll_ms: services.config.work_poll_ms,
    async step() {
      await crew.free();
      const inquiries = await claimOpen(services, resolvers, crew.left());
      inquiries.forEach(crew.start);
      return inquiries.length > 0;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]();
      await crew.done();
    },
  };
}
