import { createProcessorMetrics } from '../../../http/health/processor-metrics.ts';
import { replaceFact } from '../../../platform/database/installation/installation-facts.ts';
import { DRY_RUN_HEAD, dryRunOf } from '../../../platform/dry-run.ts';
import { instantText } from '../../../platform/time/clock.ts';
import { startLoop } from '../../../platform/workers/loop.ts';
import type { Services } from '../../../services.ts';
import { learn, restoredTo } from '../learn.ts';
import { recordDecision } from '../record-decision.ts';
import {
  linesOfCounts,
  type RestoreDecision,
  type RestoreRequest,
  takeRequest,
} from '../requests.ts';

const POLL_MS = { closed: 500, open: 5_000 };

/**
 * Loop that runs operators' commands after a restore: to learn while the installation is closed, and to decide what nobody
 * could tell. Payments that were held at the opening are decided later.
 */
export function startObeyLoop(services: Services): AsyncDisposable {
  const stopping = new AbortController();
  const isClosed = services.restore_gate.restoredTo() !== undefined;
  const loop = startLoop(services, {
    name: 'restore',
    poll_ms: isClosed ? POLL_MS.closed : POLL_MS.open,
    async step() {
      const request = await takeRequest(services.db);
      if (!request) return false;
      await obey(services, request, stopping.signal);
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
  signal: AbortSignal,
): Promise<void> {
  const { db, logger, system_clock } = services;
  const { id, verb } = request;
  await replaceFact(db, 'restore_progress', `begun at ${instantText(system_clock.now())}`);
  const answer = await run(services, request, signal).then(
    (lines) => ({ id, is_done: true, lines }),
    (error: Error) => {
      logger.error({ verb, err: { message: error.message } }, 'restore command failed');
      return { id, is_done: false, lines: [failureOf(request, error)] };
    },
  );
  await replaceFact(db, 'restore_result', JSON.stringify(answer));
}

/** A run keeps what it recorded before its failure. A decision may be stored although its answer was lost. */
const failureOf = ({ verb }: RestoreRequest, { message }: Error): string =>
  verb === 'decide'
    ? `The decision failed: ${message}. Run restore report: it lists what is still undecided.`
    : `The run ended early: ${message}. Repeat the command: a run keeps what it recorded.`;

async function run(
  services: Services,
  request: RestoreRequest,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (request.verb === 'decide') return [await recordDecision(services, request)];
  if (request.verb === 'try') return [await tryDecision(services, request.decision)];
  const restored_to = await restoredTo(services);
  if (restored_to === undefined) throw new Error('the installation is open');
  const { counts, notes } = await learn(services, restored_to, request.is_dry, signal);
  return [...linesOfCounts(counts), ...notes];
}

/** Records a decision in a database that commits nothing, and in metrics that nobody reads. */
async function tryDecision(services: Services, decision: RestoreDecision): Promise<string> {
  const processor_metrics = createProcessorMetrics();
  const dry = { ...services, db: dryRunOf(services.db), processor_metrics };
  return DRY_RUN_HEAD + (await recordDecision(dry, decision));
}
