import { problem } from '@florin/contract/errors.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { RoutingServices } from '../processor-accounts/route-payment.ts';

export type ProcessorLookup = RoutingServices;

/** Whether a processor takes payments of a merchant and mode. */
export const hasProcessor = ({ accounts, processorOf }: ProcessorLookup, scope: Scope): boolean =>
  processorOf(scope.mode) !== undefined || accounts.enabledFor(scope).length > 0;

/**
 * Throws 422 if no processor takes the merchant's payments, so that no record is stored that nobody
 * can pay.
 */
export function requireProcessor(services: ProcessorLookup, scope: Scope): void {
  if (!hasProcessor(services, scope)) throw problem('no_processor', NO_PROCESSOR);
}

/** Advice for developers, in errors and in the browser's console. */
export const NO_PROCESSOR =
  'Live mode takes no payments, because no processor account is enabled. Nothing was stored; use a sandbox key (ept_sandbox_…), and see /docs/reference/live-mode.';
