import type { Row } from '../../platform/database/row.ts';
import { instantText } from '../../platform/time/clock.ts';
import { sendPlain } from '../../processors/wire/send-plain.ts';
import type { Services } from '../../services.ts';
import { clearSimulation, dueSimulations } from './sql/simulations.ts';

const BATCH_MAX = 50;

/**
 * Triggers simulated events of attempts that are due on their timeline. The simulated network
 * cannot do this: it knows only the system clock. Returns whether any were due.
 */
export async function triggerDueEffects(services: Services): Promise<boolean> {
  const { db, clock, within } = services;
  const dueRows = await dueSimulations(db, instantText(clock.now()), BATCH_MAX, await within?.());
  const results = await Promise.all(dueRows.map((attempt) => triggerEffect(services, attempt)));
  return results.some(Boolean);
}

/** Triggers one event. The event stays due until the network acknowledges it. */
async function triggerEffect({ db, processorNamed }: Services, attempt: Row): Promise<boolean> {
  const simulation = processorNamed(attempt.processor as string)?.simulation;
  if (!simulation) return false;
  const { mapRequest, mapAnswer } = simulation.triggerEffect;
  const answer = await sendPlain(mapRequest({ attempt_id: attempt.id as string }));
  if (mapAnswer(answer).result !== 'triggered') return false;
  await clearSimulation(db, attempt);
  return true;
}
