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
    id: { type: 'string', format: 'uuid', description: 'The same whenever it is tried again.' },
    attributes: refTo('schemas', 'EventAttributes'),
    relationships: objectOf({ merchant: objectOf({ data: identifierOf('merchants') }) }),
  }),
});

/** The webhook message for each event that a webhook subscription lists. */
export const delivery: Schema = {
  post: {
    operationId: 'deliverEvent',
    summary: 'Take an event that a webhook subscription lists',
    description: 'Check a signature over the bytes as they came, and ignore ids seen before.',
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
        '`v1,…`, as Standard Webhooks has it; two of them while a secret is changed.',
      ),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      200: { description: 'Taken, as is 201 to 204.' },
      400: { description: 'Refused for good, as are 401, 403, 404 and 405.' },
      default: {
        description:
          'Tried again: after 10 s, 5 min, 30 min, 1 h and 2 h, or when `Retry-After` says, if that is later.',
      },
    },
  },
};
