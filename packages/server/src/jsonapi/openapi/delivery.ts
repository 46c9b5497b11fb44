import { edgeSignature, standardSignature } from '@florin/contract/protocol/webhook.ts';
import { identifierOf } from './resource-schemas.ts';
import { type OpenapiParameter, objectOf, refTo, type Schema } from './schema.ts';

const headerParameter = (name: string, description: string): OpenapiParameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const body: Schema = objectOf({
  data: objectOf({
    type: { const: 'events', type: 'string' },
    id: { type: 'string', format: 'uuid', description: 'The same for every attempt.' },
    attributes: refTo('schemas', 'EventAttributes'),
    relationships: objectOf({ merchant: objectOf({ data: identifierOf('merchants') }) }),
  }),
});

/** The webhook message for each event that a webhook subscription lists. */
export const delivery: Schema = {
  post: {
    operationId: 'deliverEvent',
    summary: 'Receive an event of a webhook subscription',
    description: 'Verify a signature over the raw bytes, and ignore ids that you have seen.',
    security: [],
    parameters: [
      headerParameter(
        edgeSignature.header,
        '`t=…,v3=…`: hex HMAC-SHA256 of `t.body` under the secret.',
      ),
      headerParameter(standardSignature.idHeader, 'Id of the event.'),
      headerParameter(standardSignature.timestampHeader, 'Unix time of this attempt, in seconds.'),
      headerParameter(
        standardSignature.header,
        '`v1,…` of Standard Webhooks; two of them while a secret is rotated.',
      ),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      200: { description: 'Delivered, as with 201 to 204.' },
      400: { description: 'Stops the delivery, as do 401, 403, 404 and 405.' },
      default: {
        description:
          'Retried after 10 s, 5 min, 30 min, 1 h and 2 h, or after `Retry-After` if that is later.',
      },
    },
  },
};
