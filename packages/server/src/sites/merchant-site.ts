import type { FastifyInstance } from 'fastify';
import type { FormTokens } from '../features/checkout/form-tokens.ts';
import { registerMemberForm } from '../features/checkout/routes/member-form.ts';
import { registerPaymentAuthentications } from '../features/checkout/threeds/routes/payment-authentications.ts';
import { registerSameEmail } from '../features/customers/same-email.ts';
import { registerEvidenceRules } from '../features/disputes/evidence-rules-route.ts';
import { registerLogo } from '../features/documents/logo/routes.ts';
import { registerDocumentDownloads } from '../features/documents/routes.ts';
import { registerPayoutLines } from '../features/exports/payouts/routes.ts';
import { registerExports } from '../features/exports/routes.ts';
import { registerGettingStarted } from '../features/getting-started/routes.ts';
import { registerLedger } from '../features/ledger/routes.ts';
import { registerMemberNotifications } from '../features/member-notifications/routes.ts';
import { registerApplication } from '../features/onboarding/routes/application.ts';
import { registerCustomerFigures } from '../features/overview/customers/routes.ts';
import { registerListSums } from '../features/overview/list-sums/routes.ts';
import { registerOverview } from '../features/overview/routes.ts';
import { registerTabCounts } from '../features/overview/tabs/routes.ts';
import { registerPaymentActors } from '../features/payment-history/routes.ts';
import { registerPaymentNotes } from '../features/payment-notes/routes.ts';
import { registerAudit } from '../features/people/audit/routes.ts';
import { registerSandboxReset } from '../features/sandbox/reset-routes.ts';
import { createPaymentSearch } from '../features/search/payments/search-payments.ts';
import { registerSearch, registerSearchedPayments } from '../features/search/routes.ts';
import { registerNextPayout } from '../features/settlement/next-payout.ts';
import { registerSettlementOnRequest } from '../features/settlement/on-request/routes.ts';
import { registerResendReceipt } from '../features/subscriptions/resend-receipt.ts';
import type { Reader } from '../jsonapi/reading/read.ts';
import type { Signer } from '../platform/crypto/signer.ts';
import type { Services } from '../services.ts';
import { registerDeveloperTools } from './developer-tools.ts';

export interface MerchantSiteOptions {
  readonly reader: Reader;
  readonly signer: Signer;
  readonly form_tokens: FormTokens;
}

/** Registers endpoints of one merchant and mode for the merchant's members. */
export function registerMerchantSite(
  fastify: FastifyInstance,
  services: Services,
  { reader, signer, form_tokens }: MerchantSiteOptions,
): void {
  const searched = { reader, takeSearch: createPaymentSearch(services) };
  registerApplication(fastify, services, signer);
  registerAudit(fastify, services);
  registerOverview(fastify, services);
  registerGettingStarted(fastify, services);
  registerMemberNotifications(fastify, services);
  registerSearch(fastify, services);
  registerSearchedPayments(fastify, services, searched);
  registerLedger(fastify, services);
  registerPayoutLines(fastify, services);
  registerNextPayout(fastify, services);
  registerTabCounts(fastify, services, searched);
  registerListSums(fastify, services, searched);
  registerPaymentActors(fastify, services);
  registerCustomerFigures(fastify, services);
  registerSameEmail(fastify, { services, reader });
  registerPaymentNotes(fastify, services, signer);
  registerResendReceipt(fastify, services);
  registerPaymentAuthentications(fastify, services);
  registerMemberForm(fastify, { services, form_tokens });
  registerEvidenceRules(fastify, services);
  registerSandboxReset(fastify, services);
  registerSettlementOnRequest(fastify, services);
  registerDeveloperTools(fastify, services, reader);
  registerExports(fastify, services, searched);
  registerDocumentDownloads(fastify, services);
  registerLogo(fastify, services);
}
