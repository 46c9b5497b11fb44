import { permissionSlug } from '@florin/contract/permissions.ts';
import { MEDIA_TYPE } from '../media-type.ts';
import type { Models } from '../model.ts';
import { headersFor, sharedHeaders } from './headers.ts';
import { objectOf, type PathItem, refTo, type Schema, toRecord } from './schema.ts';
import { commonStatuses, componentOf } from './statuses.ts';

const ERRORS = [400, 401, 403, 406];

const constant = (value: string): Schema => ({ type: 'string', const: value });
const text: Schema = { type: 'string' };

const keySchema = objectOf({
  type: constant('encryption_keys'),
  id: { ...text, description: 'The `kid` of the key.' },
  attributes: objectOf({
    status: {
      ...text,
      enum: ['current', 'next'],
      description: 'Encrypt with the `current` key. The `next` one replaces it within days.',
    },
    enc: { ...constant('A256GCM'), description: 'Encryption of the content.' },
    jwk: objectOf(
      {
        kid: text,
        kty: constant('EC'),
        crv: constant('P-256'),
        x: text,
        y: text,
        alg: constant('ECDH-ES'),
        use: constant('enc'),
      },
      undefined,
      { description: 'Public key (RFC 7517).' },
    ),
  }),
});

/** The list of the vault's public keys, which are no records of a table. */
export function encryptionKeyPaths(models: Models): Record<string, PathItem> {
  const model = models.find('payment_methods');
  if (!model) return {};
  const permission = permissionSlug(model.resource, 'create');
  const operation = {
    operationId: 'listEncryptionKeys',
    summary: 'List encryption keys',
    description: `Public keys of the vault in the mode of your key, to encrypt \`network_token_jwe\`. Read them at least once a day; a key that was replaced still works for 48 hours. Needs \`${permission}\`.`,
    tags: [model.type],
    'x-required-permission': [permission],
    parameters: [refTo('parameters', 'UserAgent')],
    responses: {
      200: {
        description: 'The current key, then the next one if there is one.',
        headers: headersFor([...sharedHeaders, 'Vary', 'ETag']),
        content: {
          [MEDIA_TYPE]: {
            schema: objectOf({
              data: { type: 'array', items: keySchema },
              links: objectOf({ self: { type: 'string', format: 'uri-reference' } }),
            }),
          },
        },
      },
      ...toRecord([...ERRORS, ...commonStatuses], (status) => [
        String(status),
        refTo('responses', componentOf(status)),
      ]),
    },
  };
  return { '/v2/encryption_keys': { get: operation } };
}
