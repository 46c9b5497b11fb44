import type { Services } from '../features/services.ts';
import { settleDue } from '../features/settlement/settle.ts';
import { startEachMode } from '../platform/workers/each-mode.ts';

/** Settles the days that are over at the processors, and pays out. */
export const startSettleDayLoops = (services: Services): AsyncDisposable[] =>
  startEachMode(services, { name: 'settle-day', step: (mode) => settleDue(services, mode) });
