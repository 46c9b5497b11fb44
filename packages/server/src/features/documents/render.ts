import { createThread, type Thread } from '../../platform/concurrency/thread.ts';

/**
 * Creates the thread that renders documents as PDF. Fonts and layout take 38 to 112 ms of processor time (ADR 76).
 * Payments would wait meanwhile.
 */
export const createDocumentRenderer = (): Thread<unknown> =>
  createThread(new URL('render-thread.ts', import.meta.url));
