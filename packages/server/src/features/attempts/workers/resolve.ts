import { createCrew } from '../../../platform/concurrency/crew.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { createAgeAlarm } from '../age-alarm.ts';
import { claimOpen, type Inquiring, type Resolvers } from '../resolve.ts';

/** Inquiries that may be under way at once. */
const IN_FLIGHT_MAX = 48;

/** Owns every attempt whose answer is missing, until it is known what became of it. Slow inquiries hold up no others. */
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
