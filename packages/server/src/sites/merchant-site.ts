import type { FastifyInstance } from 'fastify';
import { registerPaymentAuthentications } from '../features/checkout/threeds/routes/payment-authentications.ts';
import { registerEvidenceRules } from '../features/disputes/evidence-rules-route.ts';
import { registerExports } from '../features/exports/routes.ts';
import { registerApplication } from '../features/onboarding/routes/application.ts';
import { registerOverview } from '../features/overview/routes.ts';
import { registerAudit } from '../features/people/audit/routes.ts';
import { registerSandboxReset } from '../features/sandbox/reset-routes.ts';
import type { Reader } from '../jsonapi/reading/read.ts';
import type { Signer } from '../platform/crypto/signer.ts';
import type { Services } from '../services.ts';
import { registerDeveloperTools } from './developer-tools.ts';

/** Registers endpoints of one merchant and mode for the merchant's members. */
export function registerMerchantSite(
  fastify: FastifyInstance,
  services: Services,
  { reader, signer }: { readonly reader: Reader; readonly signer: Signer },
): void {
  registerApplication(fastify, services, signer);
  registerAudit(fastify, services);
  registerOverview(fastify, services);
  registerPaymentAuthentications(fastify, services);
  registerEvidenceRules(fastify, services);
  registerSandboxReset(fastify, services);
  registerDeveloperTools(fastify, services, reader);
  registerExports(fastify, services, reader);
}
