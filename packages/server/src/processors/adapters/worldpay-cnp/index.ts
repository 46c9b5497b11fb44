import { defineAdapter } from '../../port/define-adapter.ts';
import { cnpEgressOf } from './egress.ts';
import { cnpAnswers } from './map-answer.ts';
import { cnpRequests } from './map-request.ts';
import { cnpMetadata } from './metadata.ts';
import { readCnpKey } from './read-answer.ts';

/**
 * The adapter to Worldpay's cnpAPI (Vantiv eCommerce), version 12.34. Experimental: built from the schemas and the public
 * reference guide. There are no notifications: queries tell outcomes.
 */
export const cnpAdapter = defineAdapter({
  metadata: cnpMetadata,
  mapRequest: cnpRequests,
  mapAnswer: cnpAnswers,
  readKey: readCnpKey,
  codecs: { codec: 'xml', answer_codec: 'xml' },
  egress: cnpEgressOf,
  origins: ({ settings }) => [new URL(settings.api_url as string).origin],
});
