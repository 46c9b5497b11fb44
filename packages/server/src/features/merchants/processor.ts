import { problem } from '@florin/contract/errors.ts';
import type { Mode } from '@florin/contract/protocol/vault.ts';
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
  if (!hasProcessor(services, scope)) throw problem('no_processor', ADVICE[scope.mode]);
}

/** Advice for developers in live mode, in errors and in the browser's console. */
export const NO_PROCESSOR =
  'Live mode takes no payments, because no processor account is enabled. Nothing was stored; use a sandbox key (ept_sandbox_…), and see /docs/reference/live-mode.';

const ADVICE: Readonly<Record<Mode, string>> = {
  live: NO_PROCESSOR,
  sandbox:
    'The sandbox takes no payments, because no test account of a processor is enabled, and this installation has no simulated network. Nothing was stored; ask the operator for a test account, and see /docs/operate/processors.',
};
