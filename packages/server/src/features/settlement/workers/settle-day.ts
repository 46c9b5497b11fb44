import { startEachMode } from '../../../platform/workers/each-mode.ts';
import type { Services } from '../../../services.ts';
import { settleDue } from '../settle.ts';

/** Settles the days that are over at the processors, and pays out. */
export const startSettleDayLoops = (services: Services): AsyncDisposable[] =>
  startEachMode(services, { name: 'settle-day', step: (mode) => settleDue(services, mode) });
