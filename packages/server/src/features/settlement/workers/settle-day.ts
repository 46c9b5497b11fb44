import { startEachMode } from '../../../platform/workers/each-mode.ts';
import type { Services } from '../../../services.ts';
import { settleDue } from '../settle.ts';

/** Settles finished days of the processors, and pays out. */
export const startSettleDayLoops = (services: Services): AsyncDisposable[] =>
  startEachMode(services, { name: 'settle-day', step: (mode) => settleDue(services, mode) });
