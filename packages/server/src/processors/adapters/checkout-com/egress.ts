import type { EgressRule } from '@florin/contract/protocol/processor-accounts.ts';
import type { AccountSettings } from '../../port/metadata.ts';
import { checkoutCardPlaces, checkoutTokenPlaces } from './map-request.ts';

type Message = Omit<EgressRule, 'origin'>;

/** Messages below the address of an account. `*` is an id, such as that of a payment. Only payments may have a card. */
const MESSAGES: readonly Message[] = [
  { method: 'POST', path: '/payments', card_fields: checkoutCardPlaces },
  { method: 'POST', path: '/payments', card_fields: checkoutTokenPlaces },
  { method: 'GET', path: '/payments', query: ['reference', 'limit'] },
  { method: 'GET', path: '/payments/*' },
  { method: 'GET', path: '/payments/*/actions' },
  { method: 'POST', path: '/payments/*/captures' },
  { method: 'POST', path: '/payments/*/refunds' },
  { method: 'POST', path: '/payments/*/reversals' },
  {
    method: 'GET',
    path: '/reports',
    query: ['created_after', 'created_before', 'limit', 'pagination_token'],
  },
  { method: 'GET', path: '/reports/*/files/*' },
  { method: 'POST', path: '/files' },
  { method: 'GET', path: '/disputes/*' },
  { method: 'POST', path: '/disputes/*/accept' },
  { method: 'PUT', path: '/disputes/*/evidence' },
  { method: 'POST', path: '/disputes/*/evidence' },
];

/** Messages that an account may send. */
export const checkoutEgressOf = ({ settings }: AccountSettings): readonly EgressRule[] =>
  MESSAGES.map((message) => {
    const { origin, pathname } = new URL(settings.api_url + message.path);
    return { ...message, origin, path: pathname };
  });
