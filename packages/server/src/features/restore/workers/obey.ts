import { replaceFact } from '../../../platform/database/installation/installation-facts.ts';
import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { learn, restoredTo } from '../learn.ts';
import { recordDecision } from '../record-decision.ts';
import { linesOfCounts, type RestoreRequest, takeRequest } from '../requests.ts';

const POLL_MS = 500;

/** Loop of a closed installation that runs operators' commands: to learn, and to decide what nobody could tell. */
export function startObeyLoop(services: Services): AsyncDisposable {
  const stopping = new AbortController();
  let isOpen = false;
  const loop = startLoop(services, {
    name: 'restore',
    poll_ms: POLL_MS,
    async step() {
      const restored_to = isOpen ? undefined : await restoredTo(services);
      isOpen = restored_to === undefined;
      const request = isOpen ? undefined : await takeRequest(services.db);
      if (!request || restored_to === undefined) return false;
      await obey(services, request, restored_to, stopping.signal);
      return true;
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await loop[Symbol.asyncDispose]();
    },
  };
}

async function obey(
  services: Services,
  request: RestoreRequest,
  restored_to: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, logger, system_clock } = services;
  const { id, verb } = request;
  await replaceFact(db, 'restore_progress', `begun at ${instantText(system_clock.now())}`);
  const answer = await run(services, request, restored_to, signal).then(
    (lines) => ({ id, is_done: true, lines }),
    (error: Error) => {
      logger.error({ verb, err: { message: error.message } }, 'restore command failed');
      return { id, is_done: false, lines: [`The command failed: ${error.message}. Repeat it.`] };
    },
  );
  await replaceFact(db, 'restore_result', JSON.stringify(answer));
}

async function run(
  services: Services,
  request: RestoreRequest,
  restored_to: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (request.verb === 'decide') return [await recordDecision(services, request)];
  const { counts, notes } = await learn(services, restored_to, request.is_dry, signal);
  return [...linesOfCounts(counts), ...notes];
}
