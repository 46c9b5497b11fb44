import type { EgressRule } from '@florin/contract/protocol/processor-accounts.ts';
import type { AccountSettings } from '../../port/metadata.ts';
import { checkoutCardPlaces, checkoutLogin, checkoutTokenPlaces } from './map-request.ts';

type Message = Omit<EgressRule, 'origin'>;

const messageOf = (
  method: Message['method'],
  path: string,
  query?: readonly string[],
): Message => ({
  method,
  path,
  ...(query && { query }),
  login: checkoutLogin,
});

/** A message with an idempotency key. */
const changeOf = (path: string): Message => ({
  ...messageOf('POST', path),
  headers: ['cko-idempotency-key'],
});

/** Messages below the address of an account. `*` is an id, such as that of a payment. Only payments may have a card. */
const MESSAGES: readonly Message[] = [
  { ...changeOf('/payments'), card_fields: checkoutCardPlaces },
  { ...changeOf('/payments'), card_fields: checkoutTokenPlaces },
  messageOf('GET', '/payments', ['reference', 'limit']),
  messageOf('GET', '/payments/*'),
  messageOf('GET', '/payments/*/actions'),
  changeOf('/payments/*/captures'),
  changeOf('/payments/*/refunds'),
  changeOf('/payments/*/reversals'),
  messageOf('GET', '/reports', ['created_after', 'created_before', 'limit', 'pagination_token']),
  messageOf('GET', '/reports/*/files/*'),
  { ...messageOf('POST', '/files'), codec: 'multipart' },
  messageOf('GET', '/disputes/*'),
  messageOf('POST', '/disputes/*/accept'),
  messageOf('PUT', '/disputes/*/evidence'),
  messageOf('POST', '/disputes/*/evidence'),
];

/** Messages that an account may send. */
export const checkoutEgressOf = ({ settings }: AccountSettings): readonly EgressRule[] =>
  MESSAGES.map((message) => {
    const { origin, pathname } = new URL(settings.api_url + message.path);
    return { ...message, origin, path: pathname };
  });
